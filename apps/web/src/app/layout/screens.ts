import { lazyPart } from '#/components/parts/lazy-part.tsx'

export const LandingPage = lazyPart(
  async () => (await import('#/features/account/landing/landing-page.tsx')).LandingPage,
)
export const PortalAccess = lazyPart(async () => (await import('../portal-access.tsx')).PortalAccess)
export const SignedIn = lazyPart(async () => (await import('./signed-in.tsx')).SignedIn)

import { loadCode } from '@sallyport/browser/load-code'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { consumeJoinLink } from '#/features/portals/pairing/consume-join-link.ts'
import { consumeSessionLink } from '#/features/sessions/joining/session-link.ts'
import { isAuthSessionStored } from '#/lib/api/stored-auth-session.ts'
import { areaPages, Settings } from './account-screens.ts'
import type { BillingPage } from './billing-route.tsx'
import type { InvitationPage } from './invitation-pages.tsx'
import { areaFor } from './layout/areas.ts'
import { RouteErrorScreen } from './layout/route-error-screen.tsx'
import { LandingPage, PortalAccess, SignedIn } from './layout/screens.ts'
import { Root } from './root.tsx'

const NoFallback = () => null

/** Loads the code of a page; a server that is away is waited for. */
const waiting =
  <Loaded,>(load: () => Promise<Loaded>) =>
  () =>
    loadCode(load)

/** All routes. The code of a page is loaded when it is opened. `joinLink` is the portal link that opened the page. */
const routesOf = (joinLink: string | null): RouteObject[] => [
  {
    Component: Root,
    ErrorBoundary: RouteErrorScreen,
    HydrateFallback: NoFallback,
    children: [
      {
        lazy: waiting(() => loadAccountLayout(joinLink)),
        children: [
          { path: '/', lazy: waiting(loadAreaPage) },
          { path: '/dashboard', lazy: waiting(loadAreaPage) },
          { path: '/settings', lazy: waiting(loadSettingsPage) },
          // What others see: admins, and owners of organizations, are shown theirs instead.
          { path: '/business', element: <RouteErrorScreen isNotFound /> },
          { path: '/admin', element: <RouteErrorScreen isNotFound /> },
          { path: '/admin/user/:id', element: <RouteErrorScreen isNotFound /> },
        ],
      },
      { path: '/s/:token', lazy: waiting(loadSharePage) },
      {
        lazy: waiting(() => loadTaskLayout(joinLink)),
        children: [
          { path: '/auth/confirm', lazy: waiting(loadConfirmPage) },
          { path: '/invite/:token', lazy: waiting(loadInvitationPage('InviteRoute')) },
          { path: '/join-org/:token', lazy: waiting(loadInvitationPage('JoinOrganizationPage')) },
          { path: '/accept-invite/:token', lazy: waiting(loadInvitationPage('AcceptInvitationPage')) },
          { path: '/set-password', lazy: waiting(loadSetPasswordPage) },
          { path: '/upgrade', lazy: waiting(loadBillingPage('UpgradePage')) },
          { path: '/upgrade-success', lazy: waiting(loadBillingPage('UpgradeSuccessPage')) },
          { path: '/business-success', lazy: waiting(loadBillingPage('BusinessSuccessPage')) },
          { path: '/checkout/test/:id', lazy: waiting(loadBillingPage('TestCheckoutPage')) },
          { path: '/portal', lazy: waiting(loadPortalPage) },
        ],
      },
      { path: '*', loader: throwNotFound },
    ],
  },
]

/** Creates the router after removing session and portal links from the URL. */
export function createRouter() {
  const isSignedIn = isAuthSessionStored()
  consumeSessionLink(isSignedIn)
  return createBrowserRouter(routesOf(consumeJoinLink(isSignedIn)))
}

async function loadAccountLayout(joinLink: string | null) {
  const [{ AccountLayout }, { getServices }] = await Promise.all([
    import('./layout/account-layout.tsx'),
    import('./get-services.ts'),
    preloadFirstScreen(),
  ])
  return { element: <AccountLayout services={getServices(joinLink)} /> }
}

async function loadTaskLayout(joinLink: string | null) {
  const [{ TaskLayout }, { getServices }] = await Promise.all([
    import('./layout/task-layout.tsx'),
    import('./get-services.ts'),
  ])
  return { element: <TaskLayout services={getServices(joinLink)} /> }
}

async function loadConfirmPage() {
  return { Component: (await import('#/features/account/email-verification/confirm-page.tsx')).ConfirmPage }
}

const loadInvitationPage = (page: InvitationPage) => async () => ({
  Component: (await import('./invitation-pages.tsx')).invitationPages[page],
})

async function loadSetPasswordPage() {
  return { Component: (await import('./set-password-route.tsx')).SetPasswordRoute }
}

const loadBillingPage = (page: BillingPage) => async () => {
  const { BillingRoute } = await import('./billing-route.tsx')
  return { element: <BillingRoute page={page} notFound={<RouteErrorScreen isNotFound />} /> }
}

async function loadPortalPage() {
  return { Component: (await import('./portal-area.tsx')).AnonymousPortalRoute }
}

/** Loads the parts of the first screen, which then appears at once. */
async function preloadFirstScreen(): Promise<void> {
  const parts = isAuthSessionStored() ? [SignedIn] : [LandingPage, PortalAccess]
  // A part that could not be loaded is loaded again when it is shown, and reports the failure.
  await Promise.allSettled(parts.map(({ preload }) => preload()))
}

async function loadAreaPage() {
  const { AreaPage } = await import('./layout/area-page.tsx')
  if (isAuthSessionStored()) await Promise.allSettled([areaPages[areaFor(location.search, localStorage)].preload()])
  return { Component: AreaPage }
}

async function loadSettingsPage() {
  if (isAuthSessionStored()) await Promise.allSettled([Settings.preload()])
  return { Component: Settings }
}

async function loadSharePage() {
  const { SharePage, repairShareLink } = await import('#/features/sharing/share-page.tsx')
  return { Component: SharePage, loader: repairShareLink }
}

function throwNotFound(): never {
  throw new Response(null, { status: 404, statusText: 'Not Found' })
}

import { lazy } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { consumeJoinLink } from '#/features/portals/pairing/consume-join-link.ts'
import { consumeSessionLink } from '#/features/sessions/joining/session-link.ts'
import { isAuthSessionStored } from '#/lib/api/stored-auth-session.ts'
import { AreaPage, loadAreaPage } from './layout/area-page.tsx'
import { areaFor } from './layout/areas.ts'
import { RouteErrorScreen } from './layout/route-error-screen.tsx'
import { Root } from './root.tsx'

const loadSettingsPage = () => import('./settings.tsx')

const SettingsPage = lazy(async () => ({ default: (await loadSettingsPage()).Settings }))

const NoFallback = () => null

/** All routes. The code of a page is loaded when it is opened. `joinLink` is the portal link that opened the page. */
const routesOf = (joinLink: string | null): RouteObject[] => [
  {
    Component: Root,
    ErrorBoundary: RouteErrorScreen,
    HydrateFallback: NoFallback,
    children: [
      {
        lazy: () => loadAccountLayout(joinLink),
        children: [
          { path: '/', Component: AreaPage },
          { path: '/dashboard', Component: AreaPage },
          { path: '/settings', Component: SettingsPage },
        ],
      },
      { path: '/s/:token', lazy: loadSharePage },
      {
        lazy: () => loadTaskLayout(joinLink),
        children: [
          { path: '/auth/confirm', lazy: loadConfirmPage },
          { path: '/invite/:token', lazy: loadInvitePage },
          { path: '/set-password', lazy: loadSetPasswordPage },
          { path: '/upgrade', lazy: loadUpgradePage },
          { path: '/portal', lazy: loadPortalPage },
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
  preloadFirstScreen()
  const [{ AccountLayout }, { getServices }] = await Promise.all([
    import('./layout/account-layout.tsx'),
    import('./get-services.ts'),
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

async function loadInvitePage() {
  return { Component: (await import('./invite-route.tsx')).InviteRoute }
}

async function loadSetPasswordPage() {
  return { Component: (await import('./set-password-route.tsx')).SetPasswordRoute }
}

async function loadUpgradePage() {
  return { Component: (await import('#/features/account/billing/upgrade-page.tsx')).UpgradePage }
}

async function loadPortalPage() {
  return { Component: (await import('./portal-area.tsx')).AnonymousPortalRoute }
}

/** Preloads the first screen in parallel with the layout to avoid a waterfall. */
function preloadFirstScreen(): void {
  const imports = isAuthSessionStored()
    ? [
        import('./layout/shell.tsx'),
        location.pathname === '/settings' ? loadSettingsPage() : loadAreaPage(areaFor(location.search, localStorage)),
      ]
    : [import('#/features/account/landing/landing-page.tsx')]
  // The lazy component retries the import and reports the failure.
  Promise.all(imports).catch(() => undefined)
}

async function loadSharePage() {
  const { SharePage, repairShareLink } = await import('#/features/sharing/share-page.tsx')
  return { Component: SharePage, loader: repairShareLink }
}

function throwNotFound(): never {
  throw new Response(null, { status: 404, statusText: 'Not Found' })
}

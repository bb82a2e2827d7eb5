import { lazy } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { isSignInStored } from '#/api/stored-sign-in.ts'
import { takeJoinLink } from '#/portals/arrival.ts'
import { takeArrival } from '#/sessions/arrival.ts'
import { AreaPage, loadAreaPage } from './area-page.tsx'
import { areaAt } from './areas.ts'
import { Root } from './root.tsx'
import { RouteErrorScreen } from './route-error-screen.tsx'

const loadSettingsPage = () => import('./settings.tsx')

const SettingsPage = lazy(async () => ({ default: (await loadSettingsPage()).Settings }))

/** Every address of the product. What a page needs beyond the router is loaded when it is opened. */
const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteErrorScreen,
    HydrateFallback: () => null,
    children: [
      {
        lazy: loadAccountLayout,
        children: [
          { path: '/', Component: AreaPage },
          { path: '/dashboard', Component: AreaPage },
          { path: '/settings', Component: SettingsPage },
        ],
      },
      { path: '/s/:token', lazy: loadSharePage },
      {
        lazy: loadTaskLayout,
        children: [
          { path: '/auth/confirm', lazy: loadConfirmPage },
          { path: '/invite/:token', lazy: loadInvitePage },
          { path: '/set-password', lazy: loadSetPasswordPage },
          { path: '/upgrade', lazy: loadUpgradePage },
          { path: '/portal', lazy: loadPortalPage },
        ],
      },
      { path: '*', loader: refuseUnknown },
    ],
  },
]

/** The router, after a link into a session or a portal was taken out of the address. */
export function createRouter() {
  const isSignedIn = isSignInStored()
  takeArrival(isSignedIn)
  takeJoinLink(isSignedIn)
  return createBrowserRouter(routes)
}

async function loadAccountLayout() {
  loadAhead()
  const [{ AccountLayout }, { theServices }] = await Promise.all([
    import('./account-layout.tsx'),
    import('./the-services.ts'),
  ])
  return { element: <AccountLayout services={theServices()} /> }
}

async function loadTaskLayout() {
  const [{ TaskLayout }, { theServices }] = await Promise.all([
    import('./task-layout.tsx'),
    import('./the-services.ts'),
  ])
  return { element: <TaskLayout services={theServices()} /> }
}

async function loadConfirmPage() {
  return { Component: (await import('#/confirm/confirm-page.tsx')).ConfirmPage }
}

async function loadInvitePage() {
  return { Component: (await import('./invite-route.tsx')).InviteRoute }
}

async function loadSetPasswordPage() {
  return { Component: (await import('./set-password-route.tsx')).SetPasswordRoute }
}

async function loadUpgradePage() {
  return { Component: (await import('#/upgrade/upgrade-page.tsx')).UpgradePage }
}

async function loadPortalPage() {
  return { Component: (await import('./portal-area.tsx')).AnonymousPortalRoute }
}

/** Asks for the screen that will be shown together with what shows it, so that nothing waits in line. */
function loadAhead(): void {
  const ahead = isSignInStored()
    ? [
        import('./shell.tsx'),
        location.pathname === '/settings' ? loadSettingsPage() : loadAreaPage(areaAt(location.search, localStorage)),
      ]
    : [import('#/accounts/landing-page.tsx')]
  // Whoever shows the screen asks again, and reports the failure.
  Promise.all(ahead).catch(() => undefined)
}

async function loadSharePage() {
  const { SharePage, mendShareLink } = await import('#/sharing/share-page.tsx')
  return { Component: SharePage, loader: mendShareLink }
}

function refuseUnknown(): never {
  throw new Response(null, { status: 404, statusText: 'Not Found' })
}

import type { Observable } from '@sallyport/client/observable'
import { Suspense } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { usePreload } from '#/components/parts/use-preload.ts'
import { Button } from '#/components/ui/button.tsx'
import { UiProvider } from '#/components/ui/ui-provider.tsx'
import { UnpaidOrganization } from '#/features/account/sign-up/business/unpaid-organization.tsx'
import { SessionExpiryBanner } from '#/features/account/sign-up/session-expiry-banner.tsx'
import { TransferIndicators } from '#/features/files/transfers/transfer-indicators.tsx'
import { InterruptedPortal } from '#/features/portals/interrupted-portal.tsx'
import { usePortalEntry } from '#/features/portals/portal-entry.ts'
import { useAdminStatus } from '#/lib/api/admin-status.ts'
import { type Account, accountName } from '#/lib/api/auth.ts'
import { useOrganizationAccess } from '#/lib/api/membership.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { shellStrings } from '#/strings/shell.ts'
import { areaPages, Settings } from '../account-screens.ts'
import { AreaTabs } from './area-tabs.tsx'
import { areaFor, areaPath, isAdminPath } from './areas.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { TopBar } from './top-bar.tsx'

/** Not among the screens that are loaded in advance: most users never see it. */
const AdminArea = lazyPart(async () => (await import('../admin/admin-area.tsx')).AdminArea)
const AdminUnavailable = lazyPart(async () => (await import('../admin/admin-unavailable.tsx')).AdminUnavailable)
const OrganizationArea = lazyPart(async () => (await import('../organization/organization-area.tsx')).OrganizationArea)
const TransferDock = lazyPart(async () => (await import('#/features/files/transfers/transfer-dock.tsx')).TransferDock, {
  notice: 'none',
})
const PortalPresence = lazyPart(async () => (await import('#/features/portals/portal-presence.tsx')).PortalPresence, {
  notice: 'none',
})
const SessionAlerts = lazyPart(async () => (await import('#/features/sessions/session-alerts.tsx')).SessionAlerts, {
  notice: 'none',
})
const DropElsewhere = lazyPart(
  async () => (await import('#/features/files/transfers/global-drop-target.tsx')).GlobalDropTarget,
  { notice: 'none' },
)

const otherScreens = [...Object.values(areaPages), Settings, DropElsewhere, PortalPresence, SessionAlerts]

interface ShellProps {
  readonly account: Account
  /** True while the server is reachable. */
  readonly connectivity: Observable<boolean>
  readonly onSignOut: () => void
}

/** Frame of all screens of a signed-in user: the top bar and the screen of the current route. */
export function Shell({ account, connectivity, onSignOut }: ShellProps) {
  usePreload(otherScreens)
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { isAdmin, retry } = useAdminStatus()
  const organization = useOrganizationAccess()
  const page = pageOf(pathname, search)
  // The route itself says that there is no such page.
  if (page === 'admin' && isAdmin === false) return <Outlet />
  if (page === 'organization' && organization.isManager === false) return <Outlet />
  return (
    <UiProvider>
      <SkipButton />
      <TopBar
        name={accountName(account)}
        isAdmin={isAdmin ?? false}
        showsOrganization={organization.isManager === true && page !== 'organization'}
        onSignOut={onSignOut}
      />
      <OfflineBanner connectivity={connectivity} />
      <SessionExpiryBanner name={accountName(account)} />
      <UnpaidOrganization />
      {page === 'portal' ? null : <InterruptedPortal onResume={() => void navigate(areaPath('portal'))} />}
      <main id="main" tabIndex={-1} className="outline-none">
        {/* Lists of the admin area have their filters in the URL. */}
        <CrashBoundary key={page === 'admin' ? pathname : pathname + search}>
          <Suspense fallback={<LoadingScreen />}>
            {page === 'admin' ? <AdminPage isAdmin={isAdmin} retry={retry} /> : null}
            {page === 'organization' ? <OrganizationArea retry={organization.retry} /> : null}
            {page === 'admin' || page === 'organization' ? null : <Outlet />}
          </Suspense>
        </CrashBoundary>
      </main>
      <CrashBoundary isSilent>
        <Suspense>
          <TransferDock currentScreen={page === 'files' || page === 'portal' ? page : null} />
          <OpenPortalPresence />
          <SessionAlerts onShow={page === 'sessions' ? null : () => void navigate(areaPath('sessions'))} />
        </Suspense>
      </CrashBoundary>
      {page === 'chat' || page === 'settings' || page === 'admin' || page === 'organization' ? (
        // A boundary of its own: one that is already shown would hold the navigation back until this has loaded.
        <CrashBoundary isSilent>
          <Suspense>
            <DropElsewhere />
          </Suspense>
        </CrashBoundary>
      ) : null}
      <TransferIndicators />
      <AreaTabs place="bottom" />
    </UiProvider>
  )
}

/** The admin area, once the server has answered that the user is an admin. */
function AdminPage({ isAdmin, retry }: ReturnType<typeof useAdminStatus>) {
  if (retry) return <AdminUnavailable onRetry={retry} />
  return isAdmin ? <AdminArea /> : <LoadingScreen />
}

function pageOf(pathname: string, search: string) {
  if (isAdminPath(pathname)) return 'admin'
  if (/^\/business\/?$/.test(pathname)) return 'organization'
  return pathname === '/settings' ? 'settings' : areaFor(search, localStorage)
}

/** Keeps an open portal connected on all screens, with its prompts and notifications. */
function OpenPortalPresence() {
  const context = useObservable(usePortalEntry().current)
  return context ? <PortalPresence context={context} /> : null
}

/** The first stop of the keyboard, shown while it has the focus. */
const SkipButton = () => (
  <Button
    variant="primary"
    size="compact"
    className="fixed start-4 -top-20 z-30 focus:top-3"
    onClick={() => document.getElementById('main')?.focus()}
  >
    {shellStrings.skip}
  </Button>
)

import type { Observable } from '@sallyport/client/observable'
import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { UiProvider } from '#/components/ui/ui-provider.tsx'
import { SessionExpiryBanner } from '#/features/account/sign-up/session-expiry-banner.tsx'
import { TransferIndicators } from '#/features/files/transfers/transfer-indicators.tsx'
import { usePortalEntry } from '#/features/portals/portal-entry.ts'
import { type Account, accountName } from '#/lib/api/auth.ts'
import { lazyPart } from '#/lib/lazy-part.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { usePreload } from '#/lib/use-preload.ts'
import { areaPages, Settings } from '../account-screens.ts'
import { AreaTabs } from './area-tabs.tsx'
import { areaFor } from './areas.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { TopBar } from './top-bar.tsx'

const TransferDock = lazyPart(async () => (await import('#/features/files/transfers/transfer-dock.tsx')).TransferDock)
const PortalPresence = lazyPart(async () => (await import('#/features/portals/portal-presence.tsx')).PortalPresence)
const DropElsewhere = lazyPart(
  async () => (await import('#/features/files/transfers/global-drop-target.tsx')).GlobalDropTarget,
)

const otherScreens = [...Object.values(areaPages), Settings, DropElsewhere, PortalPresence]

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
  const page = pathname === '/settings' ? 'settings' : areaFor(search, localStorage)
  return (
    <UiProvider>
      <TopBar name={accountName(account)} onSignOut={onSignOut} />
      <OfflineBanner connectivity={connectivity} />
      <SessionExpiryBanner name={accountName(account)} />
      <main id="main" tabIndex={-1} className="outline-none">
        <CrashBoundary key={pathname + search}>
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
          </Suspense>
        </CrashBoundary>
      </main>
      <Suspense>
        <TransferDock currentScreen={page === 'files' || page === 'portal' ? page : null} />
        <OpenPortalPresence />
      </Suspense>
      {page === 'chat' || page === 'settings' ? (
        // A boundary of its own: one that is already shown would hold the navigation back until this has loaded.
        <Suspense>
          <DropElsewhere />
        </Suspense>
      ) : null}
      <TransferIndicators />
      <AreaTabs place="bottom" />
    </UiProvider>
  )
}

/** Keeps an open portal connected on all screens, with its prompts and notifications. */
function OpenPortalPresence() {
  const context = useObservable(usePortalEntry().current)
  return context ? <PortalPresence context={context} /> : null
}

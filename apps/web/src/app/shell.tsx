import type { Observable } from '@sallyport/client/observable'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Outlet, useLocation } from 'react-router'
import { EndingBanner } from '#/accounts/ending-banner.tsx'
import { type Account, nameOf } from '#/api/auth.ts'
import { TransferSignals } from '#/files/transfer-signals.tsx'
import { openPortal } from '#/portals/kept-portal.ts'
import { UiProvider } from '#/ui/ui-provider.tsx'
import { AreaTabs } from './area-tabs.tsx'
import { areaAt } from './areas.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { TopBar } from './top-bar.tsx'

const TransferDock = lazy(async () => ({ default: (await import('#/files/transfer-dock.tsx')).TransferDock }))
const PortalPresence = lazy(async () => ({ default: (await import('#/portals/portal-presence.tsx')).PortalPresence }))
const DropElsewhere = lazy(async () => ({ default: (await import('#/files/drop-elsewhere.tsx')).DropElsewhere }))

interface ShellProps {
  readonly account: Account
  /** True while the server can be reached. */
  readonly line: Observable<boolean>
  readonly onSignOut: () => void
}

/** Everything that somebody who is signed in sees: the bar on top and the screen that the address names. */
export function Shell({ account, line, onSignOut }: ShellProps) {
  const { pathname, search } = useLocation()
  const place = pathname === '/settings' ? 'settings' : areaAt(search, localStorage)
  return (
    <UiProvider>
      <TopBar name={nameOf(account)} onSignOut={onSignOut} />
      <OfflineBanner line={line} />
      <EndingBanner name={nameOf(account)} />
      <main id="main" tabIndex={-1} className="outline-none">
        <CrashBoundary key={pathname + search}>
          <Suspense>
            <Outlet />
          </Suspense>
        </CrashBoundary>
      </main>
      <Suspense>
        <TransferDock shownHere={place === 'files' || place === 'portal' ? place : null} />
        <PortalEverywhere />
        {place === 'chat' || place === 'settings' ? <DropElsewhere /> : null}
      </Suspense>
      <TransferSignals />
      <AreaTabs place="bottom" />
    </UiProvider>
  )
}

/** A portal stays open while somebody looks at something else, and asks and tells wherever they are. */
function PortalEverywhere() {
  const work = useSyncExternalStore(openPortal.subscribe, openPortal.current)
  return work ? <PortalPresence work={work} /> : null
}

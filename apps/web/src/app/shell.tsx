import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { EndingBanner } from '#/accounts/ending-banner.tsx'
import { type Account, nameOf } from '#/api/auth.ts'
import { UiProvider } from '#/ui/ui-provider.tsx'
import { AreaTabs } from './area-tabs.tsx'
import { CrashBoundary } from './crash-boundary.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { TopBar } from './top-bar.tsx'

interface ShellProps {
  readonly account: Account
  readonly onSignOut: () => void
}

/** Everything that somebody who is signed in sees: the bar on top and the screen that the address names. */
export function Shell({ account, onSignOut }: ShellProps) {
  const { pathname, search } = useLocation()
  return (
    <UiProvider>
      <TopBar name={nameOf(account)} onSignOut={onSignOut} />
      <OfflineBanner />
      <EndingBanner name={nameOf(account)} />
      <main id="main" tabIndex={-1} className="outline-none">
        <CrashBoundary key={pathname + search}>
          <Suspense>
            <Outlet />
          </Suspense>
        </CrashBoundary>
      </main>
      <AreaTabs place="bottom" />
    </UiProvider>
  )
}

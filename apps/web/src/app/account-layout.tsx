import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { AccountsProvider } from '#/accounts/accounts-context.ts'
import { useEntrance } from '#/accounts/use-entrance.ts'
import { ApiProvider } from '#/api/api-context.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { EmptyBar } from './empty-bar.tsx'
import type { Services } from './services.ts'

const LandingPage = lazy(async () => ({ default: (await import('#/accounts/landing-page.tsx')).LandingPage }))
const UnlockPage = lazy(async () => ({ default: (await import('#/accounts/unlock-page.tsx')).UnlockPage }))
const ExpiredDialog = lazy(async () => ({ default: (await import('#/accounts/expired-dialog.tsx')).ExpiredDialog }))
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.tsx')).SignedIn }))

interface AccountLayoutProps {
  readonly services: Services
}

/** The part of the product that belongs to an account, with everything it stands on. */
export function AccountLayout({ services }: AccountLayoutProps) {
  return (
    <CrashBoundary>
      <QueryClientProvider client={services.queries}>
        <ApiProvider value={services.api}>
          <AccountsProvider value={services.accounts}>
            <Suspense>
              <Entry services={services} />
              <FocusOnArrival />
            </Suspense>
            <Expiry services={services} />
          </AccountsProvider>
        </ApiProvider>
      </QueryClientProvider>
    </CrashBoundary>
  )
}

/** How far somebody has come in decides what there is to see, whatever the address. */
function Entry({ services }: AccountLayoutProps) {
  const entrance = useEntrance()
  switch (entrance.phase) {
    case 'restoring':
      return <EmptyBar />
    case 'signed-out':
      return <LandingPage />
    case 'locked':
      return <UnlockPage account={entrance.account} />
    case 'open':
      return <SignedIn key={entrance.account.id} account={entrance.account} services={services} />
  }
}

/** Moves the focus into the screen that coming in or going out has brought; waits with it until that screen is there. */
function FocusOnArrival() {
  const { phase } = useEntrance()
  const shown = useRef(phase)

  useEffect(() => {
    const isArrival = shown.current !== phase && shown.current !== 'restoring'
    shown.current = phase
    if (isArrival) document.getElementById('main')?.focus({ preventScroll: true })
  }, [phase])

  return null
}

function Expiry({ services }: AccountLayoutProps) {
  const { expired, acknowledge } = services.accounts.gate
  const isExpired = useSyncExternalStore(expired.subscribe, expired.current)
  const [wasExpired, setWasExpired] = useState(isExpired)
  if (isExpired && !wasExpired) setWasExpired(true)
  // Loaded when it is needed for the first time, and then kept, so that it can close in its own time.
  return wasExpired ? (
    <Suspense>
      <ExpiredDialog open={isExpired} onClose={acknowledge} />
    </Suspense>
  ) : null
}

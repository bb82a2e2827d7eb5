import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { useEntrance } from '#/accounts/use-entrance.ts'
import { lastWord } from '#/portals/kept-portal.ts'
import { EmptyBar } from './empty-bar.tsx'
import { Providers } from './providers.tsx'
import type { Services } from './services.ts'

const LandingPage = lazy(async () => ({ default: (await import('#/accounts/landing-page.tsx')).LandingPage }))
const UnlockPage = lazy(async () => ({ default: (await import('#/accounts/unlock-page.tsx')).UnlockPage }))
const SecondFactorPage = lazy(async () => ({
  default: (await import('#/second-factor/second-factor-page.tsx')).SecondFactorPage,
}))
const UpgradeScreen = lazy(async () => ({ default: (await import('#/upgrade/upgrade-screen.tsx')).UpgradeScreen }))
const UpgradeDialog = lazy(async () => ({ default: (await import('#/upgrade/upgrade-dialog.tsx')).UpgradeDialog }))
const VerifiedBanner = lazy(async () => ({ default: (await import('./verified-banner.tsx')).VerifiedBanner }))
const ExpiredDialog = lazy(async () => ({ default: (await import('#/accounts/expired-dialog.tsx')).ExpiredDialog }))
const AnonymousSession = lazy(async () => ({
  default: (await import('#/sessions/anonymous-session.tsx')).AnonymousSession,
}))
const JoinSession = lazy(async () => ({ default: (await import('#/sessions/landing-panel.tsx')).LandingPanel }))
const PortalAccess = lazy(async () => ({ default: (await import('./portal-access.tsx')).PortalAccess }))
const LastWordBanner = lazy(async () => ({
  default: (await import('#/portals/last-word-banner.tsx')).LastWordBanner,
}))
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.tsx')).SignedIn }))

interface AccountLayoutProps {
  readonly services: Services
}

/** The part of the product that belongs to an account. */
export function AccountLayout({ services }: AccountLayoutProps) {
  return (
    <Providers services={services}>
      <Suspense>
        <Entry services={services} />
        <FocusOnArrival />
      </Suspense>
      <Suspense>
        <Verified />
        <Offer services={services} />
        <Expiry services={services} />
      </Suspense>
    </Providers>
  )
}

/** How far somebody has come in decides what there is to see, whatever the address. */
function Entry({ services }: AccountLayoutProps) {
  const entrance = useEntrance()
  switch (entrance.phase) {
    case 'restoring':
      return <EmptyBar />
    case 'signed-out':
      return <SignedOut services={services} />
    case 'second-factor':
      return (
        <SecondFactorPage
          ways={services.accounts.secondFactor}
          onGiveUp={() => void services.accounts.gate.signOut()}
        />
      )
    case 'upgrade-required':
      return <UpgradeRequired services={services} />
    case 'locked':
      return <UnlockPage account={entrance.account} />
    case 'open':
      return <SignedIn key={entrance.account.id} account={entrance.account} services={services} />
  }
}

/** The front of the house, or the session that somebody without an account is in. */
function SignedOut({ services: { sessions } }: AccountLayoutProps) {
  const whereabouts = useSyncExternalStore(sessions.subscribe, sessions.current)
  useEffect(() => void sessions.restore(), [sessions])
  if (whereabouts.phase === 'restoring') return <EmptyBar />
  if (whereabouts.phase === 'inside') return <AnonymousSession room={whereabouts.room} />
  return <LandingPage notice={<LastWord />} joinSession={<JoinSession />} portalAccess={<PortalAccess />} />
}

/** Why somebody who had come for a portal is here instead. */
function LastWord() {
  const word = useSyncExternalStore(lastWord.subscribe, lastWord.current)
  return word === null ? null : <LastWordBanner word={word} />
}

function UpgradeRequired({ services }: AccountLayoutProps) {
  const { upgrade, closeUpgrade, signOut } = services.accounts.gate
  const offer = useSyncExternalStore(upgrade.subscribe, upgrade.current)
  return (
    <>
      <EmptyBar />
      <main id="main" tabIndex={-1} />
      <UpgradeScreen
        isTrialOver={offer?.isTrialOver ?? false}
        message={offer?.message ?? null}
        onSignOut={() => void signOut()}
        onUpgraded={closeUpgrade}
      />
    </>
  )
}

/** The plans over whatever is shown, for somebody who may also go on without one. */
function Offer({ services }: AccountLayoutProps) {
  const { upgrade, closeUpgrade } = services.accounts.gate
  const offer = useSyncExternalStore(upgrade.subscribe, upgrade.current)
  if (!offer || offer.isPersistent) return null
  return (
    <UpgradeDialog
      open
      isTrialOver={offer.isTrialOver}
      message={offer.message}
      onClose={closeUpgrade}
      onSignOut={null}
    />
  )
}

/** Somebody comes from the page that has confirmed their address. */
function Verified() {
  const [query] = useSearchParams()
  return query.get('verified') === 'true' ? <VerifiedBanner /> : null
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
  return wasExpired ? <ExpiredDialog open={isExpired} onClose={acknowledge} /> : null
}

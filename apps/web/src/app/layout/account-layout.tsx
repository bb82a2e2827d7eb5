import { Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { isAfterDeletion } from '#/features/account/security/after-deletion.ts'
import { InterruptedPortal } from '#/features/portals/interrupted-portal.tsx'
import { usePortalEntry } from '#/features/portals/portal-entry.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { Providers } from '../providers.tsx'
import type { Services } from '../services.ts'
import { EmptyBar } from './empty-bar.tsx'
import { LandingPage, PortalAccess, SignedIn } from './screens.ts'
import { ServerAwayScreen } from './server-away-screen.tsx'

const UnlockPage = lazyPart(async () => (await import('#/features/account/sign-in/unlock-page.tsx')).UnlockPage)
const SecondFactorPage = lazyPart(async () => (await import('#/features/account/two-factor/mfa-page.tsx')).MfaPage)
const UpgradeScreen = lazyPart(
  async () => (await import('#/features/account/billing/upgrade-screen.tsx')).UpgradeScreen,
)
const UpgradeDialog = lazyPart(
  async () => (await import('#/features/account/billing/upgrade-dialog.tsx')).UpgradeDialog,
  { notice: 'floating' },
)
const VerifiedBanner = lazyPart(async () => (await import('./arrival-banners.tsx')).VerifiedBanner, { notice: 'none' })
const DeletedBanner = lazyPart(async () => (await import('./arrival-banners.tsx')).DeletedBanner, { notice: 'none' })
const ExpiredDialog = lazyPart(
  async () => (await import('#/features/account/sign-up/expired-dialog.tsx')).ExpiredDialog,
  { notice: 'floating' },
)
const AnonymousSession = lazyPart(
  async () => (await import('#/features/sessions/anonymous-session.tsx')).AnonymousSession,
)
const OfflineBanner = lazyPart(async () => (await import('./offline-banner.tsx')).OfflineBanner, { notice: 'none' })
const JoinSession = lazyPart(async () => (await import('#/features/sessions/joining/landing-panel.tsx')).LandingPanel)
const PortalEndingBanner = lazyPart(
  async () => (await import('#/features/portals/portal-ending-banner.tsx')).PortalEndingBanner,
  { notice: 'none' },
)

interface AccountLayoutProps {
  readonly services: Services
}

/** Layout of all pages that belong to an account. */
export function AccountLayout({ services }: AccountLayoutProps) {
  return (
    <Providers services={services}>
      <Suspense>
        <CurrentScreen services={services} />
        <FocusOnScreenChange services={services} />
      </Suspense>
      <Suspense>
        <ArrivalNotice />
        <UpgradeOfferDialog services={services} />
        <ExpiryNotice services={services} />
      </Suspense>
    </Providers>
  )
}

/** Chooses the screen by the access state, whatever the URL. */
function CurrentScreen({ services }: AccountLayoutProps) {
  const accessState = useObservable(services.accounts.authController.accessState)
  switch (accessState.phase) {
    case 'restoring':
      return accessState.isDelayed ? <ServerAwayScreen /> : <EmptyBar />
    case 'signed-out':
      return <SignedOut services={services} />
    case 'second-factor':
      return (
        <SecondFactorPage
          deps={services.accounts.mfa}
          onCancel={() => void services.accounts.authController.signOut()}
        />
      )
    case 'upgrade-required':
      return <UpgradeRequired services={services} />
    case 'locked':
      return <UnlockPage account={accessState.account} />
    case 'open':
      return <SignedIn key={accessState.account.id} account={accessState.account} services={services} />
  }
}

/** The landing page, or the session that an anonymous user has joined. */
function SignedOut({ services: { sessions, connectivity } }: AccountLayoutProps) {
  const sessionStatus = useObservable(sessions)
  const navigate = useNavigate()
  const isWaiting = sessionStatus.phase === 'outside' && sessionStatus.waiting !== undefined
  useEffect(() => void sessions.restore(), [sessions])
  useEffect(() => {
    if (isWaiting) void navigate({ hash: 'joinSession' }, { replace: true })
  }, [isWaiting, navigate])
  if (sessionStatus.phase === 'restoring') return <EmptyBar />
  if (sessionStatus.phase === 'inside') {
    const banner = <OfflineBanner connectivity={connectivity} />
    return <AnonymousSession session={sessionStatus.session} banner={banner} />
  }
  return <LandingPage notice={<PortalExitNotice />} joinSession={<JoinSession />} portalAccess={<PortalAccess />} />
}

/** Explains why a visitor of a portal was sent to the landing page, or leads back to an interrupted one. */
function PortalExitNotice() {
  const navigate = useNavigate()
  const ending = useObservable(usePortalEntry().ending)
  if (ending) return <PortalEndingBanner {...ending} />
  return <InterruptedPortal onResume={() => void navigate('/portal?anonymous=true')} />
}

function UpgradeRequired({ services }: AccountLayoutProps) {
  const { upgradeOffer, closeUpgrade, signOut } = services.accounts.authController
  const offer = useObservable(upgradeOffer)
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

/** The upgrade dialog on top of the current screen, for users who may also continue without a plan. */
function UpgradeOfferDialog({ services }: AccountLayoutProps) {
  const { upgradeOffer, closeUpgrade } = services.accounts.authController
  const offer = useObservable(upgradeOffer)
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

/** Says what the page before has done: confirmed the email address or deleted the account. */
function ArrivalNotice() {
  const { search, state } = useLocation()
  if (isAfterDeletion(state)) return <DeletedBanner />
  return new URLSearchParams(search).get('verified') === 'true' ? <VerifiedBanner /> : null
}

/** Moves the focus into the new screen after signing in or out, once that screen is mounted. */
function FocusOnScreenChange({ services }: AccountLayoutProps) {
  const { phase } = useObservable(services.accounts.authController.accessState)
  const shownPhase = useRef(phase)

  useEffect(() => {
    const hasChanged = shownPhase.current !== phase && shownPhase.current !== 'restoring'
    shownPhase.current = phase
    // The screen of an account is mounted by the render after this one.
    if (hasChanged) queueMicrotask(() => document.getElementById('main')?.focus({ preventScroll: true }))
  }, [phase])

  return null
}

function ExpiryNotice({ services }: AccountLayoutProps) {
  const { expired, acknowledgeExpiry } = services.accounts.authController
  const isExpired = useObservable(expired)
  const [wasExpired, setWasExpired] = useState(isExpired)
  if (isExpired && !wasExpired) setWasExpired(true)
  // Loaded on first use and kept mounted afterwards, so that its close animation can finish.
  return wasExpired ? <ExpiredDialog open={isExpired} onClose={acknowledgeExpiry} /> : null
}

import { createSubject, type Observable } from '@sallyport/client/observable'
import { type Account, type Auth, accountName } from '#/lib/api/auth.ts'
import type { KeyRing } from '#/lib/keys/key-ring.ts'
import type { UpgradeOffer, UpgradeOfferStore } from '../sign-up/upgrade-offer-store.ts'
import type { SessionLifetimeStore } from './session-lifetime-store.ts'
import { isSigningOut, whileSigningOut } from './sign-out-lock.ts'

/** How far the user is signed in and unlocked. */
type AccessState =
  /** `isDelayed` while the server cannot be reached. */
  | { readonly phase: 'restoring'; readonly isDelayed?: boolean }
  | { readonly phase: 'signed-out' }
  /** The password was correct; a second factor is still required. */
  | { readonly phase: 'second-factor'; readonly account: Account }
  /** The licence has expired: nothing is loaded until it is renewed. */
  | { readonly phase: 'upgrade-required'; readonly account: Account }
  | { readonly phase: 'locked'; readonly account: Account }
  | { readonly phase: 'open'; readonly account: Account }

export interface AuthController {
  readonly accessState: Observable<AccessState>
  /** True from the moment the auth session expires until the user dismisses the notice. */
  readonly expired: Observable<boolean>
  readonly acknowledgeExpiry: () => void
  /** The upgrade offer that is shown; null while none is. */
  readonly upgradeOffer: Observable<UpgradeOffer | null>
  /** Shows the plans. A persistent offer blocks a signed-in user until it is closed. */
  readonly offerUpgrade: (offer: UpgradeOffer) => void
  /** Closes the offer: it was declined, or the licence is valid again. */
  readonly closeUpgrade: () => void
  /** Freezes the access state while `work` signs a user in and shows the result. */
  readonly whileSigningIn: <T>(work: () => Promise<T>) => Promise<T>
  readonly signOut: () => Promise<void>
  /** Signs out because the auth session has expired, and shows the notice. */
  readonly expire: () => Promise<void>
}

interface AuthControllerDeps {
  readonly auth: Auth
  readonly keyRing: KeyRing
  readonly sessionLifetime: SessionLifetimeStore
  readonly upgradeOffers: UpgradeOfferStore
  /** Clears everything that was loaded for the account that is signed out. */
  readonly onAccountClosed: () => void
  /** Deletes what this browser has stored for later visits: the user asked to sign out. */
  readonly onSignOut: () => Promise<void>
}

/** Combines the auth session, its lifetime and the key ring into one access state. */
export function createAuthController({
  auth,
  keyRing,
  sessionLifetime,
  upgradeOffers,
  onAccountClosed,
  onSignOut,
}: AuthControllerDeps): AuthController {
  const accessState = createSubject<AccessState>({
    phase: auth.state.current().phase === 'signed-out' ? 'signed-out' : 'restoring',
  })
  const expired = createSubject(false)
  let pendingSignIns = 0
  let openAccountId: string | null = null

  function setAccessState(next: AccessState): void {
    const now = accessState.current()
    const isSame = now.phase === next.phase && isSameAccount(now, next) && isDelayed(now) === isDelayed(next)
    if (!isSame) accessState.set(next)
  }

  function closeAccount(): void {
    const wasOpen = openAccountId !== null
    if (wasOpen) onAccountClosed()
    openAccountId = null
    keyRing.close()
    if (wasOpen) upgradeOffers.close()
  }

  function updateAccessState(): void {
    if (pendingSignIns > 0) return
    const now = auth.state.current()
    if (now.phase === 'restoring') setAccessState(now)
    else if (now.phase === 'signed-out') updateSignedOut()
    else if (sessionLifetime.isExpired()) void expire()
    else if (now.phase === 'second-factor') setAccessState({ phase: 'second-factor', account: now.account })
    else updateSignedIn(now.account)
  }

  function updateSignedIn(account: Account): void {
    if (openAccountId !== account.id) {
      if (openAccountId !== null) closeAccount()
      openAccountId = account.id
    }
    if (upgradeOffers.isRequiredFor(account.id)) setAccessState({ phase: 'upgrade-required', account })
    else if (isOpenFor(account)) setAccessState({ phase: 'open', account })
    else if (accessState.current().phase === 'open') setAccessState({ phase: 'locked', account })
    else void recoverKeys(account)
  }

  function updateSignedOut(): void {
    // Signing out in any tab clears the stored lifetime first; if it is still stored, the server ended the auth session.
    if (hasEnded() && sessionLifetime.isStored()) {
      sessionLifetime.clear()
      void showExpiry()
    }
    closeAccount()
    setAccessState({ phase: 'signed-out' })
  }

  /** A page may load with an auth session that has ended since. One that merely could not be checked stays in the storage. */
  const hasEnded = (): boolean =>
    openAccountId !== null || (accessState.current().phase === 'restoring' && !auth.isStored())

  function isOpenFor(account: Account): boolean {
    const ring = keyRing.state.current()
    return ring.phase === 'open' && ring.userId === account.id
  }

  async function recoverKeys(account: Account): Promise<void> {
    await keyRing.recover(account.id, showDelay).catch(() => false)
    const now = auth.state.current()
    const isStillSignedIn = now.phase === 'signed-in' && now.account.id === account.id
    // Another tab may have sent the keys while this attempt was pending.
    if (isStillSignedIn && !isOpenFor(account) && !upgradeOffers.isRequiredFor(account.id))
      setAccessState({ phase: 'locked', account })
  }

  function showDelay(): void {
    if (accessState.current().phase === 'restoring') setAccessState({ phase: 'restoring', isDelayed: true })
  }

  const signOut = (): Promise<void> =>
    whileSigningOut(async () => {
      try {
        await endAuthSession()
      } finally {
        await onSignOut()
      }
    })

  async function showExpiry(): Promise<void> {
    if (!(await isSigningOut())) expired.set(true)
  }

  async function endAuthSession(): Promise<void> {
    sessionLifetime.clear()
    try {
      await auth.end()
    } finally {
      keyRing.close()
    }
  }

  async function expire(): Promise<void> {
    if (!('account' in auth.state.current())) return
    // If the stored lifetime is gone, another tab has signed out.
    const shown = sessionLifetime.isStored() ? showExpiry() : undefined
    await Promise.all([shown, endAuthSession()])
  }

  auth.state.subscribe(updateAccessState)
  keyRing.state.subscribe(updateAccessState)
  upgradeOffers.offer.subscribe(updateAccessState)
  updateAccessState()

  return {
    accessState,
    expired,
    acknowledgeExpiry: () => expired.set(false),
    upgradeOffer: upgradeOffers.offer,
    offerUpgrade(offer) {
      const now = auth.state.current()
      upgradeOffers.open(offer, 'account' in now ? now.account.id : null)
    },
    closeUpgrade: upgradeOffers.close,
    async whileSigningIn(work) {
      pendingSignIns += 1
      try {
        return await work()
      } finally {
        pendingSignIns -= 1
        updateAccessState()
      }
    },
    signOut,
    expire,
  }
}

const isDelayed = (accessState: AccessState): boolean =>
  accessState.phase === 'restoring' && accessState.isDelayed === true

/** False after the account's address was changed too. */
function isSameAccount(one: AccessState, other: AccessState): boolean {
  if (!('account' in one) || !('account' in other)) return true
  return one.account.id === other.account.id && accountName(one.account) === accountName(other.account)
}

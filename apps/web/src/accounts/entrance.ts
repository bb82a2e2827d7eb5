import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Account, Auth } from '#/api/auth.ts'
import type { KeyRing } from '#/keys/key-ring.ts'
import type { PolicyKeeper } from './policy-keeper.ts'
import type { UpgradeKeeper, UpgradeOffer } from './upgrade-keeper.ts'

/** How far a person has come in. */
export type Entrance =
  | { readonly phase: 'restoring' }
  | { readonly phase: 'signed-out' }
  /** The password was right; a code has to follow. */
  | { readonly phase: 'second-factor'; readonly account: Account }
  /** The licence has ended: nothing is loaded until there is another. */
  | { readonly phase: 'upgrade-required'; readonly account: Account }
  | { readonly phase: 'locked'; readonly account: Account }
  | { readonly phase: 'open'; readonly account: Account }

export interface Gate {
  readonly entrance: Observable<Entrance>
  /** True from the moment a sign-in ran out until the person has read so. */
  readonly expired: Observable<boolean>
  readonly acknowledge: () => void
  /** The plans are laid before the person; null while they are not. */
  readonly upgrade: Observable<UpgradeOffer | null>
  /** Lays the plans before the person. A persistent offer lets nobody on who is signed in. */
  readonly offerUpgrade: (offer: UpgradeOffer) => void
  /** Takes the offer back: it was declined, or the licence is good again. */
  readonly closeUpgrade: () => void
  /** Keeps the page as it is while work that signs somebody in, and shows that it did, is under way. */
  readonly whileEntering: <T>(work: () => Promise<T>) => Promise<T>
  readonly signOut: () => Promise<void>
  /** Signs out because the sign-in is over, and says so. */
  readonly expire: () => Promise<void>
}

interface Deps {
  readonly auth: Auth
  readonly keyRing: KeyRing
  readonly policy: PolicyKeeper
  readonly upgrades: UpgradeKeeper
  /** Drops everything that was loaded for the account that leaves. */
  readonly onLeave: () => void
  /** Forgets what this browser keeps for a later visit: somebody asked to be signed out. */
  readonly onSignOut: () => Promise<void>
}

/** Brings together who is signed in, for how long, and whether the keys are at hand. */
export function createGate({ auth, keyRing, policy, upgrades, onLeave, onSignOut }: Deps): Gate {
  const entrance = createSubject<Entrance>({
    phase: auth.state.current().phase === 'signed-out' ? 'signed-out' : 'restoring',
  })
  const expired = createSubject(false)
  let entering = 0
  let inside: string | null = null

  function become(next: Entrance): void {
    const now = entrance.current()
    const same = now.phase === next.phase && accountId(now) === accountId(next)
    if (!same) entrance.set(next)
  }

  function leave(): void {
    const wasInside = inside !== null
    if (wasInside) onLeave()
    inside = null
    keyRing.close()
    if (wasInside) upgrades.close()
  }

  function settle(): void {
    if (entering > 0) return
    const now = auth.state.current()
    if (now.phase === 'restoring') become({ phase: 'restoring' })
    else if (now.phase === 'signed-out') settleOutside()
    else if (policy.isOver()) void expire()
    else if (now.phase === 'second-factor') become({ phase: 'second-factor', account: now.account })
    else settleInside(now.account)
  }

  function settleInside(account: Account): void {
    if (inside !== account.id) {
      if (inside !== null) leave()
      inside = account.id
    }
    if (upgrades.isRequiredOf(account.id)) become({ phase: 'upgrade-required', account })
    else if (isOpenFor(account)) become({ phase: 'open', account })
    else if (entrance.current().phase === 'open') become({ phase: 'locked', account })
    else void recover(account)
  }

  function settleOutside(): void {
    // Whoever signs out, in whichever tab, forgets the policy first: one that is still kept was ended by the server.
    if (isGone() && policy.isKept()) {
      policy.forget()
      expired.set(true)
    }
    leave()
    become({ phase: 'signed-out' })
  }

  /** A page may be loaded with a sign-in that has ended since. One that merely cannot be asked about stays in the storage. */
  const isGone = (): boolean => inside !== null || (entrance.current().phase === 'restoring' && !auth.isKept())

  function isOpenFor(account: Account): boolean {
    const ring = keyRing.state.current()
    return ring.phase === 'open' && ring.userId === account.id
  }

  async function recover(account: Account): Promise<void> {
    await keyRing.recover(account.id).catch(() => false)
    const now = auth.state.current()
    const isStillInside = now.phase === 'signed-in' && now.account.id === account.id
    // Another tab may have handed the keys over while this attempt was waiting.
    if (isStillInside && !isOpenFor(account) && !upgrades.isRequiredOf(account.id)) become({ phase: 'locked', account })
  }

  async function signOut(): Promise<void> {
    try {
      await end()
    } finally {
      await onSignOut()
    }
  }

  async function end(): Promise<void> {
    policy.forget()
    try {
      await auth.end()
    } finally {
      keyRing.close()
    }
  }

  async function expire(): Promise<void> {
    if (!('account' in auth.state.current())) return
    // A policy that is gone was forgotten by another tab, in which somebody is signing out just now.
    if (policy.isKept()) expired.set(true)
    await end()
  }

  auth.state.subscribe(settle)
  keyRing.state.subscribe(settle)
  upgrades.offer.subscribe(settle)
  settle()

  return {
    entrance,
    expired,
    acknowledge: () => expired.set(false),
    upgrade: upgrades.offer,
    offerUpgrade(offer) {
      const now = auth.state.current()
      upgrades.open(offer, 'account' in now ? now.account.id : null)
    },
    closeUpgrade: upgrades.close,
    async whileEntering(work) {
      entering += 1
      try {
        return await work()
      } finally {
        entering -= 1
        settle()
      }
    },
    signOut,
    expire,
  }
}

const accountId = (entrance: Entrance): string | null => ('account' in entrance ? entrance.account.id : null)

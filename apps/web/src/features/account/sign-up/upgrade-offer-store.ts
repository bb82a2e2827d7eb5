import { createSubject, type Observable } from '@sallyport/client/observable'

/**
 * The session that comes with the error of a sign-in long after a licence has ended. Until there is a new one it only
 * authorizes the calls to obtain it. It is never stored.
 */
interface LimitedSession {
  readonly accessToken: string
  readonly email: string
  readonly userId: string
}

export interface UpgradeOffer {
  /** Only a new plan or signing out closes it. */
  readonly isPersistent: boolean
  readonly isTrialOver: boolean
  /** The server's message about it; null for none. */
  readonly message: string | null
  /** Buys a plan where nobody is signed in. */
  readonly limitedSession?: LimitedSession
}

/** Holds the upgrade offer that is shown. A persistent offer survives a reload. */
export interface UpgradeOfferStore {
  readonly offer: Observable<UpgradeOffer | null>
  /** `accountId` is null when no user is signed in. */
  readonly open: (offer: UpgradeOffer, accountId: string | null) => void
  readonly close: () => void
  readonly isRequiredFor: (accountId: string) => boolean
}

const storageKey = 'upgradeRequired'
const causes = { trial: 'trial', licence: 'licence' } as const

export function createUpgradeOfferStore(storage: Storage): UpgradeOfferStore {
  const [cause, requiredFor] = storage.getItem(storageKey)?.split(' ') ?? []
  const offer = createSubject<UpgradeOffer | null>(
    requiredFor === undefined ? null : { isPersistent: true, isTrialOver: cause === causes.trial, message: null },
  )

  return {
    offer,
    open(next, accountId) {
      const nextCause = next.isTrialOver ? causes.trial : causes.licence
      if (next.isPersistent && accountId !== null) storage.setItem(storageKey, `${nextCause} ${accountId}`)
      offer.set(next)
    },
    close() {
      storage.removeItem(storageKey)
      if (offer.current() !== null) offer.set(null)
    },
    isRequiredFor: (accountId) => storage.getItem(storageKey)?.split(' ')[1] === accountId,
  }
}

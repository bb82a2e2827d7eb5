import { createSubject, type Observable } from '@sallyport/client/observable'

export interface UpgradeOffer {
  /** Nothing but another plan, or signing out, closes it. */
  readonly isPersistent: boolean
  readonly isTrialOver: boolean
  /** What the server has to say about it; null for nothing. */
  readonly message: string | null
}

/** Whether the plans are laid before somebody. An offer that lets nobody on outlasts a reload. */
export interface UpgradeKeeper {
  readonly offer: Observable<UpgradeOffer | null>
  /** The account is null for somebody who is not signed in. */
  readonly open: (offer: UpgradeOffer, accountId: string | null) => void
  readonly close: () => void
  readonly isRequiredOf: (accountId: string) => boolean
}

const storageName = 'upgradeRequired'
const causes = { trial: 'trial', licence: 'licence' } as const

export function createUpgradeKeeper(storage: Storage): UpgradeKeeper {
  const [cause, requiredOf] = storage.getItem(storageName)?.split(' ') ?? []
  const offer = createSubject<UpgradeOffer | null>(
    requiredOf === undefined ? null : { isPersistent: true, isTrialOver: cause === causes.trial, message: null },
  )

  return {
    offer,
    open(next, accountId) {
      const ended = next.isTrialOver ? causes.trial : causes.licence
      if (next.isPersistent && accountId !== null) storage.setItem(storageName, `${ended} ${accountId}`)
      offer.set(next)
    },
    close() {
      storage.removeItem(storageName)
      if (offer.current() !== null) offer.set(null)
    },
    isRequiredOf: (accountId) => storage.getItem(storageName)?.split(' ')[1] === accountId,
  }
}

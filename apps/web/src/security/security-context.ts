import { createContext } from 'react'
import type { NewRecoveryKey } from '#/keys/recovery-key.ts'
import { useRequired } from '#/ui/use-required.ts'

/** What the panes of an open account do beyond plain calls. */
export interface Security {
  /** What the account is called: its address, or its number. */
  readonly name: string
  /** Throws a `wrong-key` CryptoError when the current password is wrong. */
  readonly changePassword: (change: { readonly current: string; readonly next: string }) => Promise<void>
  readonly makeRecoveryKey: () => Promise<NewRecoveryKey>
  /** Whether this person has said that they want no recovery key for now, on whichever device. */
  readonly isOfferDeclined: () => Promise<boolean>
  readonly declineOffer: () => Promise<void>
}

const SecurityContext = createContext<Security | null>(null)

export const SecurityProvider = SecurityContext.Provider
export const useSecurity = (): Security => useRequired(SecurityContext)

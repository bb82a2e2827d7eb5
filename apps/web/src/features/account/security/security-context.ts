import { createContext } from 'react'
import type { EmailChange } from '#/lib/api/change-email.ts'
import type { NewRecoveryKey } from '#/lib/keys/recovery-key.ts'
import { useRequiredContext } from '#/lib/use-required-context.ts'

/** Operations of the security settings that need more than an API call. */
export interface SecurityContextValue {
  /** The account name: its email address or phone number. */
  readonly name: string
  /** Throws a `wrong-key` CryptoError when the current password is wrong. */
  readonly changePassword: (change: { readonly current: string; readonly next: string }) => Promise<void>
  /**
   * Changes the email address, at once or after both addresses have confirmed it. Rejects with PASSWORD_INVALID for a
   * wrong password.
   */
  readonly changeEmail: (change: { readonly email: string; readonly password: string }) => Promise<EmailChange>
  /** Deletes the account with all its contents and signs out. Rejects with PASSWORD_INVALID for a wrong password. */
  readonly deleteAccount: (password: string) => Promise<void>
  readonly createRecoveryKey: () => Promise<NewRecoveryKey>
  /** Whether the user has declined a recovery key, on any device. */
  readonly isRecoveryOfferDeclined: () => Promise<boolean>
  readonly declineRecoveryOffer: () => Promise<void>
}

const SecurityContext = createContext<SecurityContextValue | null>(null)

export const SecurityProvider = SecurityContext.Provider
export const useSecurity = (): SecurityContextValue => useRequiredContext(SecurityContext)

import { createContext } from 'react'
import { useRequiredContext } from '#/lib/use-required-context.ts'

/** Reauthenticates the user of an unlocked account with the password. */
export interface Reauthentication {
  /** The account name: its email address or phone number. */
  readonly name: string
  /** Rejects with PASSWORD_INVALID for a wrong password. */
  readonly confirm: (password: string) => Promise<void>
}

const ReauthenticationContext = createContext<Reauthentication | null>(null)

export const ReauthenticationProvider = ReauthenticationContext.Provider
export const useReauthentication = (): Reauthentication => useRequiredContext(ReauthenticationContext)

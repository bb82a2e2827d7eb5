import { createContext } from 'react'
import { useRequired } from '#/ui/use-required.ts'

/** How an open account shows the server that its owner is at the keyboard. */
export interface PasswordProof {
  /** What the account is called: its address, or its number. */
  readonly name: string
  /** Rejects with PASSWORD_INVALID for another password. */
  readonly confirm: (password: string) => Promise<void>
}

const PasswordProofContext = createContext<PasswordProof | null>(null)

export const PasswordProofProvider = PasswordProofContext.Provider
export const usePasswordProof = (): PasswordProof => useRequired(PasswordProofContext)

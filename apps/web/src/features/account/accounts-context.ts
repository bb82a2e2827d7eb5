import { createContext } from 'react'
import type { MfaChallengeDeps } from '#/features/account/two-factor/mfa-challenge.tsx'
import { useRequiredContext } from '#/lib/use-required-context.ts'
import type { AuthController } from './sign-in/auth-controller.ts'
import type { SignInDeps } from './sign-in/sign-in.ts'

export interface AccountsContextValue {
  readonly authController: AuthController
  readonly signInDeps: SignInDeps
  readonly mfa: MfaChallengeDeps
}

const AccountsContext = createContext<AccountsContextValue | null>(null)

export const AccountsProvider = AccountsContext.Provider
export const useAccounts = (): AccountsContextValue => useRequiredContext(AccountsContext)

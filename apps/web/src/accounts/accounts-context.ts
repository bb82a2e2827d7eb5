import { createContext } from 'react'
import type { SecondFactorWays } from '#/second-factor/challenge.tsx'
import { useRequired } from '#/ui/use-required.ts'
import type { EnterDeps } from './enter.ts'
import type { Gate } from './entrance.ts'

export interface Accounts {
  readonly gate: Gate
  readonly enter: EnterDeps
  readonly secondFactor: SecondFactorWays
}

const AccountsContext = createContext<Accounts | null>(null)

export const AccountsProvider = AccountsContext.Provider
export const useAccounts = (): Accounts => useRequired(AccountsContext)

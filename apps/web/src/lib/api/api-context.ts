import type { Call } from '@sallyport/client/call'
import type { GoTrueClient } from '@supabase/auth-js'
import { createContext } from 'react'
import { useRequiredContext } from '#/lib/use-required-context.ts'

export interface ApiContextValue {
  readonly call: Call
  /** Creates an auth client for links from emails, which persists nothing outside the given storage. */
  readonly createEphemeralAuthClient: (storage?: Storage) => Promise<GoTrueClient>
}

const ApiContext = createContext<ApiContextValue | null>(null)

export const ApiProvider = ApiContext.Provider

/** Returns the function that calls the API as the current user. */
export const useCall = (): Call => useRequiredContext(ApiContext).call

export const useApi = (): ApiContextValue => useRequiredContext(ApiContext)

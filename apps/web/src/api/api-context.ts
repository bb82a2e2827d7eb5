import type { Call } from '@sallyport/client/call'
import type { GoTrueClient } from '@supabase/auth-js'
import { createContext } from 'react'
import { useRequired } from '#/ui/use-required.ts'

export interface Api {
  readonly call: Call
  /** A client of the sign-in service that keeps nothing, for a link out of a mail. */
  readonly openPassingProvider: () => Promise<GoTrueClient>
}

const ApiContext = createContext<Api | null>(null)

export const ApiProvider = ApiContext.Provider

/** The way to call the server as whoever is signed in. */
export const useCall = (): Call => useRequired(ApiContext).call

export const useApi = (): Api => useRequired(ApiContext)

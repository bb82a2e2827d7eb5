import type { Call } from '@sallyport/client/call'
import { createContext } from 'react'
import { useRequired } from '#/ui/use-required.ts'

const ApiContext = createContext<{ readonly call: Call } | null>(null)

export const ApiProvider = ApiContext.Provider

/** The way to call the server as whoever is signed in. */
export const useCall = (): Call => useRequired(ApiContext).call

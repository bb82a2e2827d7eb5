import { fetchTimed } from '@sallyport/browser/server-clock'
import { type Call, createCaller } from '@sallyport/client/call'
import { useMemo } from 'react'
import { useCall } from '#/lib/api/api-context.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { useAccounts } from '../accounts-context.ts'

/** The account that a plan is for. */
export interface Buyer {
  readonly call: Call
  readonly email: string
  readonly userId: string
}

/**
 * Returns who buys: the account that is signed in, or the one whose sign-in was rejected because its licence has ended.
 * Null without either.
 */
export function useBuyer(): Buyer | null {
  const { authController, signInDeps } = useAccounts()
  const call = useCall()
  const authSession = useObservable(signInDeps.auth.state)
  const limitedSession = useObservable(authController.upgradeOffer)?.limitedSession
  const account = 'account' in authSession ? authSession.account : null
  return useMemo(() => {
    if (account) return { call, email: account.email, userId: account.id }
    if (!limitedSession) return null
    const { accessToken, email, userId } = limitedSession
    const getAccessToken = async () => accessToken
    return { call: createCaller({ baseUrl: '', fetch: fetchTimed, getAccessToken }), email, userId }
  }, [account, call, limitedSession])
}

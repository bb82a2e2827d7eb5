import type { Call } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { activity } from '@sallyport/contract/activity'
import { authSessions } from '@sallyport/contract/auth-sessions'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from '#/lib/api/api-context.ts'

/** When the recovery key was created (epoch ms); null if there is none. */
export const recoveryQuery = (call: Call) =>
  queryOptions({
    queryKey: ['recovery-key'],
    queryFn: async () => (await call(accountKeys.keys, {})).recovery?.createdAt ?? null,
    staleTime: 60_000,
  })

export const authSessionsQuery = (call: Call) =>
  queryOptions({ queryKey: ['sign-ins'], queryFn: async () => (await call(authSessions.list, {})).signIns })

export const signInHistoryQuery = (call: Call) =>
  queryOptions({
    queryKey: ['sign-ins', 'history'],
    queryFn: async () => (await call(authSessions.history, {})).signIns,
  })

export const activityQuery = (call: Call) =>
  queryOptions({ queryKey: ['activity'], queryFn: async () => (await call(activity.list, {})).activity })

export type PastSignIn = Awaited<ReturnType<ReturnType<typeof signInHistoryQuery>['queryFn'] & object>>[number]

export type AuthSession = Awaited<ReturnType<ReturnType<typeof authSessionsQuery>['queryFn'] & object>>[number]

/** Revokes one auth session, or all but the current one, and refetches the list. */
export function useEndAuthSessions() {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (target: { readonly id: string } | 'others') => {
      if (target === 'others') await call(authSessions.endOthers, {})
      else await call(authSessions.end, { params: { id: target.id } })
    },
    onSettled: () => queries.invalidateQueries(authSessionsQuery(call)),
  })
}

export function useRemoveRecoveryKey() {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(accountKeys.removeRecoveryKey, {}),
    onSettled: () => queries.invalidateQueries(recoveryQuery(call)),
  })
}

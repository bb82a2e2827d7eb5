import type { Call } from '@sallyport/client/call'
import { accountKeys } from '@sallyport/contract/account-keys'
import { signIns } from '@sallyport/contract/sign-ins'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from '#/api/api-context.ts'

/** When the recovery key was made (epoch ms); null without one. */
export const recoveryQuery = (call: Call) =>
  queryOptions({
    queryKey: ['recovery-key'],
    queryFn: async () => (await call(accountKeys.keys, {})).recovery?.createdAt ?? null,
    staleTime: 60_000,
  })

export const signInsQuery = (call: Call) =>
  queryOptions({ queryKey: ['sign-ins'], queryFn: async () => (await call(signIns.list, {})).signIns })

export type SignIn = Awaited<ReturnType<ReturnType<typeof signInsQuery>['queryFn'] & object>>[number]

/** Ends one sign-in, or all but this one, and asks for the list again. */
export function useEndSignIns() {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (which: { readonly id: string } | 'others') => {
      if (which === 'others') await call(signIns.endOthers, {})
      else await call(signIns.end, { params: { id: which.id } })
    },
    onSettled: () => queries.invalidateQueries(signInsQuery(call)),
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

import type { Call } from '@sallyport/client/call'
import { signIns } from '@sallyport/contract/sign-ins'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from '#/api/api-context.ts'
import { type LoadProvider, listFactors, removeFactor } from './factors.ts'

const factorsKey = ['second-factors'] as const
const codesKey = ['backup-codes'] as const

export const factorsQuery = (provider: LoadProvider) =>
  queryOptions({ queryKey: factorsKey, queryFn: () => listFactors(provider) })

export const backupCodesQuery = (call: Call) =>
  queryOptions({ queryKey: codesKey, queryFn: async () => (await call(signIns.backupCodes, {})).left })

/** To be called when a second step was added or removed. */
export function useFactorsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: codesKey })
    await queries.invalidateQueries({ queryKey: factorsKey })
  }
}

export function useRemoveFactor(provider: LoadProvider) {
  const changed = useFactorsChanged()
  return useMutation({
    mutationFn: (factorId: string) => removeFactor(provider, factorId),
    onSuccess: changed,
  })
}

/** New codes in place of the old ones, if there are any. They are given this once. */
export function useMakeBackupCodes(guard: <Result>(work: () => Promise<Result>) => Promise<Result>) {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ replaced }: { readonly replaced: boolean }) => {
      const { codes } = await guard(() => call(signIns.makeBackupCodes, {}))
      return { codes, replaced }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: codesKey }),
  })
}

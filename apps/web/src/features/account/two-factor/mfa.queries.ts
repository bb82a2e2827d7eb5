import type { Call } from '@sallyport/client/call'
import { authSessions } from '@sallyport/contract/auth-sessions'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from '#/lib/api/api-context.ts'
import { type LoadProvider, listFactors, removeFactor } from './factors.ts'

const factorsKey = ['second-factors'] as const
const codesKey = ['backup-codes'] as const

export const factorsQuery = (provider: LoadProvider) =>
  queryOptions({ queryKey: factorsKey, queryFn: () => listFactors(provider) })

export const backupCodesQuery = (call: Call) =>
  queryOptions({ queryKey: codesKey, queryFn: async () => (await call(authSessions.backupCodes, {})).left })

/** Returns a function to call after a factor was added or removed. */
export function useInvalidateFactors(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: codesKey })
    await queries.invalidateQueries({ queryKey: factorsKey })
  }
}

export function useRemoveFactor(provider: LoadProvider) {
  const invalidateFactors = useInvalidateFactors()
  return useMutation({
    mutationFn: (factorId: string) => removeFactor(provider, factorId),
    onSuccess: invalidateFactors,
  })
}

/** Creates new backup codes, which replace earlier ones. The server returns them only once. */
export function useCreateBackupCodes(guard: <Result>(work: () => Promise<Result>) => Promise<Result>) {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ replaced }: { readonly replaced: boolean }) => {
      const { codes } = await guard(() => call(authSessions.makeBackupCodes, {}))
      return { codes, replaced }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: codesKey }),
  })
}

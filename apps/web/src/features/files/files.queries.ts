import { serverClock } from '@sallyport/browser/server-clock'
import type { Call } from '@sallyport/client/call'
import { type FileChange, files, type ListedFile } from '@sallyport/contract/files'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { useOptimisticRemove } from '#/lib/api/use-optimistic-remove.ts'
import { checkListed } from '#/lib/check-listed.ts'
import { shareUnchanged } from '#/lib/realtime/list-changes.ts'

const minuteMs = 60_000

type FileList = readonly ListedFile[]

export const filesQuery = (call: Call) =>
  queryOptions({
    queryKey: ['files'],
    async queryFn(): Promise<FileList> {
      const listed = (await call(files.list, {})).files
      checkListed(listed)
      return listed
    },
    structuralSharing: shareUnchanged,
  })

/** Deletes files optimistically, rolls back on failure, and returns the number of deleted files. */
export function useDeleteFiles() {
  const call = useCall()
  const queries = useQueryClient()
  return useOptimisticRemove({
    queryKey: filesQuery(call).queryKey,
    async remove(target) {
      if (target === 'all') return (await call(files.removeAll, {})).deleted
      await call(files.remove, { params: { id: target } })
      return 1
    },
    refresh: () => refreshFiles(queries, call),
  })
}

/** Deletes files whose key was lost. */
export function useDeleteLostFiles() {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(files.removeLost, {}),
    onSettled: () => refreshFiles(queries, call),
  })
}

interface ChangeLifetimeInput {
  readonly id: string
  /** Counted from now. */
  readonly minutes: number
}

/** Changes the lifetime of a file optimistically and rolls back when the server rejects it. */
export function useChangeLifetime() {
  const call = useCall()
  const queries = useQueryClient()
  const { queryKey } = filesQuery(call)
  const show = (id: string, change: FileChange) =>
    queries.setQueryData(queryKey, (listed) =>
      listed?.map((file) => (file.id === id ? changeFile(file, change) : file)),
    )

  return useMutation({
    mutationFn: ({ id, minutes }: ChangeLifetimeInput) =>
      call(files.change, { params: { id }, body: { expirationMinutes: minutes } }),
    async onMutate({ id, minutes }) {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)?.find((file) => file.id === id)
      show(id, { expiresAt: serverClock.now() + minutes * minuteMs })
      return { before }
    },
    onSuccess: ({ expiresAt }, { id }) => show(id, { expiresAt }),
    onError(_error, { id }, context) {
      if (context?.before) show(id, { expiresAt: context.before.expiresAt })
    },
  })
}

/** Invalidates everything that depends on the files: the list and the used storage. */
export async function refreshFiles(queries: QueryClient, call: Call): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: filesQuery(call).queryKey }),
    queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey }),
  ])
}

/** Updates a listed file. Fields that are not given stay as they are. */
export function changeFile(file: ListedFile, change: FileChange): ListedFile {
  const { expiresAt = file.expiresAt, downloads = file.downloads, shared = file.shared } = change
  return { ...file, expiresAt, downloads, shared }
}

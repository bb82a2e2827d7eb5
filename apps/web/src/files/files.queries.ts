import type { Call } from '@sallyport/client/call'
import { type FileChange, files, type ListedFile } from '@sallyport/contract/files'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { userInfoQuery } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'

const minuteMs = 60_000

export type FileList = readonly ListedFile[]

export const filesQuery = (call: Call) =>
  queryOptions({
    queryKey: ['files'],
    queryFn: async (): Promise<FileList> => (await call(files.list, {})).files,
  })

/** Deletes at once on the screen, brings back what the server would not delete, and tells how many files went. */
export function useDeleteFiles() {
  const call = useCall()
  const queries = useQueryClient()
  const { queryKey } = filesQuery(call)

  return useMutation({
    mutationFn: async (target: string | 'all') => {
      if (target === 'all') return (await call(files.removeAll, {})).deleted
      await call(files.remove, { params: { id: target } })
      return 1
    },
    async onMutate(target) {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      const stays = (file: ListedFile) => target !== 'all' && file.id !== target
      queries.setQueryData(queryKey, (listed) => listed?.filter(stays))
      return { before }
    },
    onError(_error, _target, context) {
      if (context?.before) queries.setQueryData(queryKey, context.before)
    },
    onSettled: () => refreshFiles(queries, call),
  })
}

/** Deletes what nobody opens any more. */
export function useDeleteLostFiles() {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(files.removeLost, {}),
    onSettled: () => refreshFiles(queries, call),
  })
}

interface Lifetime {
  readonly id: string
  /** Counted from now. */
  readonly minutes: number
}

/** Gives a file another lifetime: at once on the screen, and back to the old one when the server will not have it. */
export function useChangeLifetime() {
  const call = useCall()
  const queries = useQueryClient()
  const { queryKey } = filesQuery(call)
  const show = (id: string, change: FileChange) =>
    queries.setQueryData(queryKey, (listed) => changeInList(listed, id, change))

  return useMutation({
    mutationFn: ({ id, minutes }: Lifetime) =>
      call(files.change, { params: { id }, body: { expirationMinutes: minutes } }),
    async onMutate({ id, minutes }) {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)?.find((file) => file.id === id)
      show(id, { expiresAt: Date.now() + minutes * minuteMs })
      return { before }
    },
    onSuccess: ({ expiresAt }, { id }) => show(id, { expiresAt }),
    onError(_error, { id }, context) {
      if (context?.before) show(id, { expiresAt: context.before.expiresAt })
    },
  })
}

/** Asks again for everything that follows from the files: the list itself and the room they take. */
export async function refreshFiles(queries: QueryClient, call: Call): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: filesQuery(call).queryKey }),
    queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey }),
  ])
}

/** Puts a file that has just come into the list that is shown, newest first; a file that is there already is left alone. */
export function addToList(listed: FileList | undefined, file: ListedFile): FileList | undefined {
  if (!listed || listed.some(({ id }) => id === file.id)) return listed
  return [file, ...listed]
}

export const takeFromList = (listed: FileList | undefined, fileId: string): FileList | undefined =>
  listed?.filter(({ id }) => id !== fileId)

/** What is not named stays as it was. */
export function changeInList(listed: FileList | undefined, fileId: string, change: FileChange): FileList | undefined {
  return listed?.map((file) => {
    if (file.id !== fileId) return file
    const { expiresAt = file.expiresAt, downloads = file.downloads, shared = file.shared } = change
    return { ...file, expiresAt, downloads, shared }
  })
}

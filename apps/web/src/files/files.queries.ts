import type { Call } from '@sallyport/client/call'
import { files, type ListedFile } from '@sallyport/contract/files'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { userInfoQuery } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'

export type FileList = readonly ListedFile[]

export const filesQuery = (call: Call) =>
  queryOptions({
    queryKey: ['files'],
    queryFn: async (): Promise<FileList> => (await call(files.list, {})).files,
  })

/** Deletes at once on the screen, and brings back what the server would not delete. */
export function useDeleteFiles() {
  const call = useCall()
  const queries = useQueryClient()
  const { queryKey } = filesQuery(call)

  return useMutation({
    mutationFn: async (target: string | 'all') => {
      if (target === 'all') await call(files.removeAll, {})
      else await call(files.remove, { params: { id: target } })
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

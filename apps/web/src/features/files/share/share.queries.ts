import type { OwnShare, UpdateShareInput } from '@sallyport/client/sharing/share-link'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FilesContextValue, useFilesContext } from '../files-context.ts'
import type { FileRef } from '../stored-files.ts'

/**
 * Never refetched automatically, because the request creates the share, which must not reappear after it was stopped.
 */
export const shareQuery = ({ shareLinks }: FilesContextValue, { id, encryptedFileKey }: FileRef) =>
  queryOptions({
    queryKey: ['share', id, encryptedFileKey],
    queryFn: () => shareLinks.open({ id, encryptedFileKey }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })

/** Changes the options of a share optimistically and rolls back when the server rejects them. */
export function useChangeShare(file: FileRef) {
  const filesContext = useFilesContext()
  const queries = useQueryClient()
  const { queryKey } = shareQuery(filesContext, file)
  return useMutation({
    mutationFn: (change: UpdateShareInput) => filesContext.shareLinks.open(file, change),
    onMutate(change) {
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (shown): OwnShare | undefined => shown && { ...shown, ...change })
      return { before }
    },
    onSuccess: (share) => queries.setQueryData(queryKey, share),
    onError: (_error, _change, context) => queries.setQueryData(queryKey, context?.before),
  })
}

export function useStopSharing(fileId: string) {
  const { shareLinks } = useFilesContext()
  return useMutation({ mutationFn: () => shareLinks.stop(fileId) })
}

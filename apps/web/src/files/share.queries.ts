import type { OwnShare, ShareChange } from '@sallyport/client/sharing/share-link'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FileWork, useFileWork } from './files-context.ts'
import type { ChosenFile } from './stored-files.ts'

/** Asked for once: asking makes the link, which must not come back by itself after it was ended. */
export const shareQuery = ({ shareLinks }: FileWork, { id, encryptedFileKey }: ChosenFile) =>
  queryOptions({
    queryKey: ['share', id, encryptedFileKey],
    queryFn: () => shareLinks.open({ id, encryptedFileKey }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })

/** Changes what its owner says about a link; shown at once, and as before when the server will not have it. */
export function useChangeShare(file: ChosenFile) {
  const work = useFileWork()
  const queries = useQueryClient()
  const { queryKey } = shareQuery(work, file)
  return useMutation({
    mutationFn: (change: ShareChange) => work.shareLinks.open(file, change),
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
  const { shareLinks } = useFileWork()
  return useMutation({ mutationFn: () => shareLinks.stop(fileId) })
}

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

interface OptimisticRemoveInput<Result> {
  /** The query that caches the list. */
  readonly queryKey: QueryKey
  readonly remove: (target: string | 'all') => Promise<Result>
  readonly onError?: (error: unknown) => void
  /** Fetches again what depends on the list. */
  readonly refresh: () => Promise<void>
}

/** Removes one or all items of a list optimistically and rolls back when the server rejects it. */
export function useOptimisticRemove<Result>({ queryKey, remove, onError, refresh }: OptimisticRemoveInput<Result>) {
  const queries = useQueryClient()
  type List = readonly { readonly id: string }[]

  return useMutation({
    mutationFn: remove,
    async onMutate(target) {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<List>(queryKey)
      queries.setQueryData<List>(queryKey, (listed) => listed?.filter(({ id }) => target !== 'all' && id !== target))
      return { before }
    },
    onError(error, _target, context) {
      if (context?.before) queries.setQueryData(queryKey, context.before)
      onError?.(error)
    },
    onSettled: refresh,
  })
}

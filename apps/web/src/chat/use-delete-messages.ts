import { messages } from '@sallyport/contract/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useChatWork } from './chat-context.ts'
import { type MessageList, messagesKey } from './messages.queries.ts'

/** Deletes at once on the screen, and brings back what the server would not delete. */
export function useDeleteMessages() {
  const { call, pages } = useChatWork()
  const queries = useQueryClient()
  const queryKey = messagesKey

  return useMutation({
    mutationFn: async (target: string | 'all') => {
      if (target === 'all') await call(messages.removeAll, {})
      else await call(messages.remove, { params: { id: target } })
    },
    async onMutate(target) {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<MessageList>(queryKey)
      if (target === 'all') pages.removeAll()
      else pages.remove(target)
      return { before: before?.filter(({ id }) => target === 'all' || id === target) }
    },
    onError(_error, _target, context) {
      if (context?.before) pages.restore(context.before)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

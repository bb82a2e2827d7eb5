import { messages } from '@sallyport/contract/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { takeFromMessages } from '#/messages/message-news.ts'
import { useChatWork } from './chat-context.ts'
import { type MessageList, messagesKey } from './messages.queries.ts'

/** Deletes at once on the screen, and brings back what the server would not delete. */
export function useDeleteMessages() {
  const { call } = useChatWork()
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
      queries.setQueryData<MessageList>(queryKey, (listed) =>
        target === 'all' ? [] : takeFromMessages(listed, target),
      )
      return { before }
    },
    onError(_error, _target, context) {
      if (context?.before) queries.setQueryData(queryKey, context.before)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

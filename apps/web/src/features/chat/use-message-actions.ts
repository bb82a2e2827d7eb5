import { serverClock } from '@sallyport/browser/server-clock'
import { ApiError } from '@sallyport/client/errors'
import { messages } from '@sallyport/contract/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readShownTexts } from '#/components/messages/list/read-shown-texts.ts'
import { useCopyMessages } from '#/components/messages/use-copy-messages.ts'
import { chatStrings } from '#/strings/chat.ts'
import { useChat } from './chat-context.ts'
import { type MessageList, messagesKey } from './messages.queries.ts'

/** The actions on messages and their feedback. The functions are stable between renders. */
export function useMessageActions() {
  const { pages, messageCache, composer } = useChat()
  const { mutate: deleteMessages } = useDeleteMessages()
  const { onCopy, copyAll } = useCopyMessages()

  return useMemo(
    () => ({
      onCopy,
      /** Copies all messages, including those that are not loaded yet. */
      copyAll: () => copyAll(readShownTexts({ loadAll: pages.loadAll, messageCache, composer, now: serverClock.now })),
      onDelete: (id: string) => deleteMessages(id),
      deleteAll: () => deleteMessages('all'),
    }),
    [onCopy, copyAll, deleteMessages, pages, messageCache, composer],
  )
}

/** Deletes messages optimistically and rolls back what the server fails to delete. */
function useDeleteMessages() {
  const { call, pages, errors } = useChat()
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
    onError(error, target, context) {
      if (context?.before) pages.restore(context.before)
      errors.show({ title: describeDeleteError(error, target) })
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

function describeDeleteError(error: unknown, target: string | 'all'): string {
  if (target === 'all') return chatStrings.deleteAllFailed
  return error instanceof ApiError ? chatStrings.deleteFailedWith(error.status) : chatStrings.deleteFailed
}

import { useMemo } from 'react'
import { readShownTexts } from '#/messages/read-shown-texts.ts'
import { useCopyMessages } from '#/messages/use-copy-messages.ts'
import { useChatWork } from './chat-context.ts'
import { troubleOfDeleting } from './troubles.ts'
import { useDeleteMessages } from './use-delete-messages.ts'

interface AllActions extends Pick<ReturnType<typeof useCopyMessages>, 'onCopy'> {
  /** Copies all messages, those that are not loaded yet among them. */
  readonly copyAll: () => void
  readonly onDelete: (id: string) => void
  readonly deleteAll: () => void
}

/** What can be done with messages, and what is said about it; the same functions each time. */
export function useMessageActions(): AllActions {
  const { troubles, pages, book, composer } = useChatWork()
  const { mutate } = useDeleteMessages()
  const { onCopy, copyAll } = useCopyMessages()

  return useMemo(() => {
    const remove = (target: string) =>
      mutate(target, { onError: (error) => troubles.tell(troubleOfDeleting(error, target)) })
    return {
      onCopy,
      copyAll: () => copyAll(readShownTexts({ loadAll: pages.loadAll, book, composer, now: Date.now })),
      onDelete: remove,
      deleteAll: () => remove('all'),
    }
  }, [onCopy, copyAll, mutate, troubles, pages, book, composer])
}

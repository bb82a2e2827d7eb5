import { useMemo } from 'react'
import { useCopyMessages } from '#/messages/use-copy-messages.ts'
import { useChatWork } from './chat-context.ts'
import { troubleOfDeleting } from './troubles.ts'
import { useDeleteMessages } from './use-delete-messages.ts'

interface AllActions extends ReturnType<typeof useCopyMessages> {
  readonly onDelete: (id: string) => void
  readonly deleteAll: () => void
}

/** What can be done with messages, and what is said about it; the same functions each time. */
export function useMessageActions(): AllActions {
  const { troubles } = useChatWork()
  const { mutate } = useDeleteMessages()
  const copying = useCopyMessages()

  return useMemo(() => {
    const remove = (target: string) =>
      mutate(target, { onError: (error) => troubles.tell(troubleOfDeleting(error, target)) })
    return { ...copying, onDelete: remove, deleteAll: () => remove('all') }
  }, [copying, mutate, troubles])
}

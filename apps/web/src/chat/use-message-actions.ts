import { chatLimits } from '@sallyport/contract/limits'
import { useCallback, useMemo } from 'react'
import { copyText } from '#/ui/copy-text.ts'
import { useToast } from '#/ui/toast.tsx'
import { chatWords } from '#/words/chat.ts'
import { useChatWork } from './chat-context.ts'
import type { MessageActions } from './message-card.tsx'
import type { MessageRow } from './rows.ts'
import { troubleOfDeleting } from './troubles.ts'
import { useDeleteMessages } from './use-delete-messages.ts'

interface AllActions extends MessageActions {
  /** Copies every text in the order in which they were written. */
  readonly copyAll: (rows: readonly MessageRow[]) => void
  readonly deleteAll: () => void
}

/** What can be done with messages, and what is said about it; the same functions each time. */
export function useMessageActions(): AllActions {
  const { troubles } = useChatWork()
  const { mutate } = useDeleteMessages()
  const toast = useToast()

  const copy = useCallback(
    async (text: string, done: string) => {
      const isCopied = await copyText(Promise.resolve(text))
      if (isCopied) toast({ text: done, tone: 'seal', duration: chatLimits.toastShownMs, key: 'copied' })
      else toast({ text: chatWords.copyFailed, tone: 'rust', urgent: true })
    },
    [toast],
  )

  return useMemo(() => {
    const remove = (target: string) =>
      mutate(target, { onError: (error) => troubles.tell(troubleOfDeleting(error, target)) })
    return {
      onCopy: (text) => void copy(text, chatWords.copied),
      onDelete: remove,
      copyAll: (rows) =>
        void copy(rows.flatMap(({ text }) => (text === null ? [] : [text])).join('\n\n'), chatWords.allCopied),
      deleteAll: () => remove('all'),
    }
  }, [copy, mutate, troubles])
}

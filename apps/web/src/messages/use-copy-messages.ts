import { chatLimits } from '@sallyport/contract/limits'
import { useCallback, useMemo } from 'react'
import { copyText } from '#/ui/copy-text.ts'
import { useToast } from '#/ui/toast.tsx'
import { chatWords } from '#/words/chat.ts'
import type { MessageRow } from './rows.ts'

interface CopyMessages {
  readonly onCopy: (text: string) => void
  /** Copies every text in the order in which they were written. */
  readonly copyAll: (rows: readonly MessageRow[]) => void
}

/** Puts messages on the clipboard and says how that went; the same functions each time. */
export function useCopyMessages(): CopyMessages {
  const toast = useToast()

  const copy = useCallback(
    async (text: string, done: string) => {
      const isCopied = await copyText(Promise.resolve(text))
      if (isCopied) toast({ text: done, tone: 'seal', duration: chatLimits.toastShownMs, key: 'copied' })
      else toast({ text: chatWords.copyFailed, tone: 'rust', urgent: true })
    },
    [toast],
  )

  return useMemo(
    () => ({
      onCopy: (text) => void copy(text, chatWords.copied),
      copyAll: (rows) =>
        void copy(rows.flatMap(({ text }) => (text === null ? [] : [text])).join('\n\n'), chatWords.allCopied),
    }),
    [copy],
  )
}

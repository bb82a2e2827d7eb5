import { chatLimits } from '@sallyport/contract/limits'
import { useCallback, useMemo } from 'react'
import { copyText } from '#/ui/copy-text.ts'
import { useToast } from '#/ui/toast.tsx'
import { chatWords } from '#/words/chat.ts'

interface CopyMessages {
  readonly onCopy: (text: string) => void
  /** Copies every text in the order in which they were written; they may still be on their way. */
  readonly copyAll: (texts: Promise<readonly string[]>) => void
}

/** Puts messages on the clipboard and says how that went; the same functions each time. */
export function useCopyMessages(): CopyMessages {
  const toast = useToast()

  const copy = useCallback(
    async (text: Promise<string>, done: string) => {
      const isCopied = await copyText(text).catch(() => false)
      if (isCopied) toast({ text: done, tone: 'seal', duration: chatLimits.toastShownMs, key: 'copied' })
      else toast({ text: chatWords.copyFailed, tone: 'rust', urgent: true })
    },
    [toast],
  )

  return useMemo(
    () => ({
      onCopy: (text) => void copy(Promise.resolve(text), chatWords.copied),
      copyAll: (texts) =>
        void copy(
          texts.then((all) => all.join('\n\n')),
          chatWords.allCopied,
        ),
    }),
    [copy],
  )
}

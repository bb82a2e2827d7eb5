import { chatLimits } from '@sallyport/contract/limits'
import { useCallback, useMemo } from 'react'
import { copyText } from '#/components/ui/copy-text.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { chatStrings } from '#/strings/chat.ts'

interface CopyMessages {
  readonly onCopy: (text: string) => void
  /** Copies texts, which may still be loading, in the order in which they were written. */
  readonly copyAll: (texts: Promise<readonly string[]>) => void
}

/** Copies messages to the clipboard and shows the result. The functions are stable between renders. */
export function useCopyMessages(): CopyMessages {
  const toast = useToast()

  const copy = useCallback(
    async (text: Promise<string>, successText: string) => {
      const isCopied = await copyText(text).catch(() => false)
      if (isCopied) toast({ text: successText, tone: 'seal', duration: chatLimits.toastShownMs, key: 'copied' })
      else toast({ text: chatStrings.copyFailed, tone: 'rust', urgent: true })
    },
    [toast],
  )

  return useMemo(
    () => ({
      onCopy: (text) => void copy(Promise.resolve(text), chatStrings.copied),
      copyAll: (texts) =>
        void copy(
          texts.then((all) => all.join('\n\n')),
          chatStrings.allCopied,
        ),
    }),
    [copy],
  )
}

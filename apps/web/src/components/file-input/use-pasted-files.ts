import { serverClock } from '@sallyport/browser/server-clock'
import { markPasted } from '@sallyport/transfers/browser/uploads/file-handles'
import { useEffect, useEffectEvent } from 'react'
import { toDate } from '#/strings/format.ts'
import { namePastedImages } from './name-pasted-images.ts'

interface UsePastedFilesOptions {
  readonly onFiles: (files: readonly File[]) => void
  /** Called with text that is pasted outside editable elements. */
  readonly onText?: (text: string) => void
  readonly enabled: boolean
}

/** Handles files pasted anywhere on the page. Text pasted into an editable element is left to the browser. */
export function usePastedFiles({ onFiles, onText, enabled }: UsePastedFilesOptions): void {
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (!enabled) return
    if (files.length > 0) {
      event.preventDefault()
      const named = namePastedImages(files, toDate(serverClock.now()))
      markPasted(named)
      return onFiles(named)
    }
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (!onText || text.trim() === '' || acceptsText(event.target)) return
    event.preventDefault()
    onText(text)
  })

  useEffect(() => {
    const controller = new AbortController()
    addEventListener('paste', (event) => handlePaste(event), { signal: controller.signal })
    return () => controller.abort()
  }, [])
}

/** Also true inside a dialog, whose pasted content belongs to it. */
function acceptsText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, [contenteditable], [role=dialog], [role=alertdialog]') !== null
  )
}

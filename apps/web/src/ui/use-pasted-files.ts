import { useEffect, useEffectEvent } from 'react'
import { markPasted } from './file-handles.ts'

interface PastedFilesProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Takes text that is pasted where nothing can be written. */
  readonly onText?: (text: string) => void
  readonly enabled: boolean
}

/** Takes files pasted anywhere on the page; pasted text goes where the cursor is, if it can be written there. */
export function usePastedFiles({ onFiles, onText, enabled }: PastedFilesProps): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (!enabled) return
    if (files.length > 0) {
      event.preventDefault()
      markPasted(files)
      return onFiles(files)
    }
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (!onText || text.trim() === '' || takesText(event.target)) return
    event.preventDefault()
    onText(text)
  })

  useEffect(() => {
    const listening = new AbortController()
    addEventListener('paste', (event) => paste(event), { signal: listening.signal })
    return () => listening.abort()
  }, [])
}

/** Also where a dialog is open: what is pasted there is meant for it. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, [contenteditable], [role=dialog], [role=alertdialog]') !== null
  )
}

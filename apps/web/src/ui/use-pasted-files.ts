import { useEffect, useEffectEvent } from 'react'

interface PastedFilesProps {
  readonly onFiles: (files: readonly File[]) => void
  readonly enabled: boolean
}

/** Takes files pasted anywhere on the page; pasted text goes where the cursor is, as ever. */
export function usePastedFiles({ onFiles, enabled }: PastedFilesProps): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (!enabled || files.length === 0) return
    event.preventDefault()
    onFiles(files)
  })

  useEffect(() => {
    const listening = new AbortController()
    addEventListener('paste', (event) => paste(event), { signal: listening.signal })
    return () => listening.abort()
  }, [])
}

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { OpenFile } from '#/transfers/open-file.ts'
import { useFileWork } from './files-context.ts'
import type { Preview } from './media-type.ts'

interface Shown {
  readonly blob: Blob
  /** Good until the preview is closed. */
  readonly address: string
}

/** Opens a file for as long as it is shown; nothing of it is left behind afterwards. */
export function useOpenedFile(fileId: string, { type }: Preview) {
  const { openFile } = useFileWork()
  const [attempt, setAttempt] = useState(0)
  const [opened, setOpened] = useState<OpenFile | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const isCopied = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the file anew.
  useEffect(() => {
    const file = openFile(fileId)
    let address: string | null = null
    let isOver = false
    setOpened(file)
    setShown(null)
    file.blob.then(
      (bytes) => {
        if (isOver) return
        const blob = new Blob([bytes], { type })
        address = URL.createObjectURL(blob)
        setShown({ blob, address })
      },
      // The state of the file tells what went wrong.
      () => undefined,
    )
    return () => {
      isOver = true
      if (address !== null) URL.revokeObjectURL(address)
      file.release({ isCopied: isCopied.current })
    }
  }, [openFile, fileId, type, attempt])

  const state = useSyncExternalStore(opened?.state.subscribe ?? watchNothing, () => opened?.state.current() ?? null)
  return {
    state,
    shown,
    retry: () => setAttempt(attempt + 1),
    /** The browser is copying from the bytes: they must stay a while longer than the preview. */
    markCopied() {
      isCopied.current = true
    },
  }
}

const watchNothing = () => () => undefined

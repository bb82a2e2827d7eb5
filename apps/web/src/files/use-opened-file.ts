import { largeDownloadBytes } from '@sallyport/contract/limits'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { OpenFile } from '#/transfers/open-file.ts'
import { useFileWork } from './files-context.ts'
import type { Preview } from './media-type.ts'
import type { StoredFile } from './stored-files.ts'

interface Shown {
  /** Null for what is played as it comes. */
  readonly blob: Blob | null
  /** Good until the preview is closed. */
  readonly address: string
}

type ShownFile = Pick<StoredFile, 'id' | 'encryptedFileKey' | 'sizeBytes'>

/** Opens a file for as long as it is shown; nothing of it is left behind afterwards. A long film is played as it comes. */
export function useOpenedFile({ id, encryptedFileKey, sizeBytes }: ShownFile, { kind, type }: Preview) {
  const { openFile, playFile } = useFileWork()
  const [attempt, setAttempt] = useState(0)
  const [opened, setOpened] = useState<OpenFile | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const isCopied = useRef(false)
  const isPlayed = kind === 'film' && sizeBytes > largeDownloadBytes

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the file anew.
  useEffect(() => {
    let isOver = false
    let end = (): void => undefined
    setOpened(null)
    setShown(null)

    async function play(): Promise<boolean> {
      const played = await playFile({ id, encryptedFileKey }, type).catch(() => null)
      if (isOver || !played) {
        played?.close()
        return false
      }
      end = played.close
      setShown({ blob: null, address: played.address })
      return true
    }

    function open(): void {
      const file = openFile({ id, encryptedFileKey })
      let address: string | null = null
      setOpened(file)
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
      end = () => {
        if (address !== null) URL.revokeObjectURL(address)
        file.release({ isCopied: isCopied.current })
      }
    }

    if (isPlayed) void play().then((isPlaying) => isPlaying || isOver || open())
    else open()
    return () => {
      isOver = true
      end()
    }
  }, [openFile, playFile, id, encryptedFileKey, type, isPlayed, attempt])

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

import { ignore } from '@sallyport/contract/ignore'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import type { OpenFile } from '@sallyport/transfers/browser/downloads/open-file'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useFilesContext } from '../files-context.ts'
import type { StoredFile } from '../stored-files.ts'
import type { Preview } from './media-type.ts'

interface ShownMedia {
  /** Null for a streamed video. */
  readonly blob: Blob | null
  /** Valid until the preview is closed. */
  readonly url: string
}

type FileToShow = Pick<StoredFile, 'id' | 'encryptedFileKey' | 'sizeBytes'>

/** Decrypts a file while it is shown and removes it afterwards. Large videos are streamed. */
export function useOpenedFile({ id, encryptedFileKey, sizeBytes }: FileToShow, { kind, type }: Preview) {
  const { openFile, streamFile } = useFilesContext()
  const [attempt, setAttempt] = useState(0)
  const [opened, setOpened] = useState<OpenFile | null>(null)
  const [shown, setShown] = useState<ShownMedia | null>(null)
  const isCopied = useRef(false)
  const isStreamed = kind === 'film' && sizeBytes > largeDownloadBytes

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reopens the file.
  useEffect(() => {
    let isDisposed = false
    let dispose = (): void => undefined
    setOpened(null)
    setShown(null)

    async function stream(): Promise<boolean> {
      const preview = await streamFile({ id, encryptedFileKey }, type).catch((error) =>
        ignore(error, 'the whole file is decrypted instead'),
      )
      if (isDisposed || !preview) {
        preview?.close()
        return false
      }
      dispose = preview.close
      setShown({ blob: null, url: preview.address })
      return true
    }

    function open(): void {
      const file = openFile({ id, encryptedFileKey })
      let url: string | null = null
      setOpened(file)
      file.blob.then(
        (bytes) => {
          if (isDisposed) return
          const blob = new Blob([bytes], { type })
          url = URL.createObjectURL(blob)
          setShown({ blob, url })
        },
        // The error is reported by the state of the file.
        () => undefined,
      )
      dispose = () => {
        if (url !== null) URL.revokeObjectURL(url)
        file.release({ isCopied: isCopied.current })
      }
    }

    if (isStreamed) void stream().then((isPlaying) => isPlaying || isDisposed || open())
    else open()
    return () => {
      isDisposed = true
      dispose()
    }
  }, [openFile, streamFile, id, encryptedFileKey, type, isStreamed, attempt])

  const state = useSyncExternalStore(
    opened?.state.subscribe ?? subscribeToNothing,
    () => opened?.state.current() ?? null,
  )
  return {
    state,
    shown,
    retry: () => setAttempt(attempt + 1),
    /** Keeps the bytes longer than the preview, because the browser is copying them. */
    markCopied() {
      isCopied.current = true
    },
  }
}

const subscribeToNothing = () => () => undefined

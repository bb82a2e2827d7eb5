import { createSubject, type Observable } from '@sallyport/client/observable'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import type { Transfer } from '#/transfer-views/transfer-state.ts'
import type { OpenFile } from '#/transfers/open-file.ts'
import type { ChosenFile, StoredFile } from './stored-files.ts'

type Wanted = Pick<StoredFile, 'id' | 'encryptedFileKey' | 'name' | 'sizeBytes'>

/** Files that are being opened to be handed to the device, as transfers that can be watched and cancelled. */
export interface Savings extends Observable<readonly Transfer[]> {
  /** Opens a file; the same while it is under way. Whoever takes it releases it. */
  open(file: Wanted): OpenFile
  cancel(id: string): void
  cancelAll(): void
}

/** `now` is in milliseconds and dates the transfers. */
export function createSavings(openFile: (file: ChosenFile) => OpenFile, now: () => number): Savings {
  const transfers = createSubject<readonly Transfer[]>([])
  const running = new Map<string, OpenFile>()

  function show(transfer: Transfer): void {
    const others = transfers.current().filter(({ id }) => id !== transfer.id)
    transfers.set([...others, transfer])
  }

  function forget(id: string): void {
    running.delete(id)
    transfers.set(transfers.current().filter((transfer) => transfer.id !== id))
  }

  function cancel(id: string): void {
    running.get(id)?.release()
  }

  return {
    current: transfers.current,
    subscribe: transfers.subscribe,
    open({ id: fileId, encryptedFileKey, name, sizeBytes }) {
      const id = `${fileId} ${encryptedFileKey}`
      const known = running.get(id)
      if (known) return known
      const opened = openFile({ id: fileId, encryptedFileKey })
      running.set(id, opened)
      const look = () => {
        if (!running.has(id)) return
        show(transferOfDownload({ id, name, size: sizeBytes, state: opened.state.current() }, now()))
      }
      look()
      const unsubscribe = opened.state.subscribe(look)
      const end = () => {
        unsubscribe()
        forget(id)
      }
      opened.blob.then(end, end)
      return opened
    },
    cancel,
    cancelAll: () => [...running.keys()].forEach(cancel),
  }
}

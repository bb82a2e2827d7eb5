import { createSubject, type Observable } from '@sallyport/client/observable'
import type { OpenFile } from '@sallyport/transfers/browser/downloads/open-file'
import { downloadToTransfer } from '#/components/transfers/download-transfers.ts'
import type { Transfer } from '#/components/transfers/transfer-state.ts'
import type { FileRef, StoredFile } from '../stored-files.ts'

type FileToSave = Pick<StoredFile, 'id' | 'encryptedFileKey' | 'name' | 'sizeBytes'>

/** Files that are being decrypted to be saved to the device, as transfers that can be observed and cancelled. */
export interface DeviceSaves extends Observable<readonly Transfer[]> {
  /** Decrypts a file, or returns the running decryption of it. The caller has to release the file. */
  open(file: FileToSave): OpenFile
  cancel(id: string): void
  cancelAll(): void
}

/** `now` returns epoch milliseconds. */
export function createDeviceSaves(openFile: (file: FileRef) => OpenFile, now: () => number): DeviceSaves {
  const transfers = createSubject<readonly Transfer[]>([])
  const running = new Map<string, OpenFile>()

  function show(transfer: Transfer): void {
    const others = transfers.current().filter(({ id }) => id !== transfer.id)
    transfers.set([...others, transfer])
  }

  function remove(id: string): void {
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
      const existing = running.get(id)
      if (existing) return existing
      const opened = openFile({ id: fileId, encryptedFileKey })
      running.set(id, opened)
      const update = () => {
        if (!running.has(id)) return
        show(downloadToTransfer({ id, name, size: sizeBytes, state: opened.state.current() }, now()))
      }
      update()
      const unsubscribe = opened.state.subscribe(update)
      const end = () => {
        unsubscribe()
        remove(id)
      }
      opened.blob.then(end, end)
      return opened
    },
    cancel,
    cancelAll: () => [...running.keys()].forEach(cancel),
  }
}

import type { OpenFile } from '@sallyport/transfers/browser/downloads/open-file'
import { type JobState, toJobState } from '@sallyport/transfers/engine/job'
import { createJobList, type JobList } from '@sallyport/transfers/engine/job-list'
import type { FileRef, StoredFile } from '../stored-files.ts'

type FileToSave = Pick<StoredFile, 'id' | 'encryptedFileKey' | 'name' | 'sizeBytes'>

/** Files that are being decrypted to be saved to the device. */
export interface DeviceSaves extends JobList {
  /** Decrypts a file, or returns the running decryption of it. The caller has to release the file. */
  open(file: FileToSave): OpenFile
}

interface SaveInput {
  readonly name: string
  readonly size: number
  readonly opened: OpenFile
}

export function createDeviceSaves(openFile: (file: FileRef) => OpenFile): DeviceSaves {
  const running = new Map<string, OpenFile>()

  function run({ opened }: SaveInput, update: (state: JobState, sizeBytes?: number) => void) {
    opened.state.subscribe(() => {
      const state = opened.state.current()
      update(toJobState(state), 'totalBytes' in state ? state.totalBytes : undefined)
    })
    return { cancel: opened.release }
  }

  const list = createJobList<SaveInput>({ kind: 'save', run })

  return {
    ...list,
    open({ id: fileId, encryptedFileKey, name, sizeBytes: size }) {
      const key = `${fileId} ${encryptedFileKey}`
      const existing = running.get(key)
      if (existing) return existing
      const opened = openFile({ id: fileId, encryptedFileKey })
      running.set(key, opened)
      const id = list.start({ name, size, opened })
      const end = () => {
        running.delete(key)
        list.dismiss(id)
      }
      opened.blob.then(end, end)
      return opened
    },
  }
}

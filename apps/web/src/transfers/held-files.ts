import type { PreparedUpload } from '@sallyport/client/upload/prepare-upload'
import type { KeptFile } from '@sallyport/client/upload/reopen-upload'
import type { HeldTasks } from '#/workers/held.tasks.ts'
import heldWorkerUrl from '#/workers/held.worker.ts?worker&url'
import { readHeld } from './kept-store.ts'
import type { KeptWriter } from './kept-writer.ts'
import { startWorker, type TaskPort } from './task-port.ts'

/** What was pasted is on no disk. So much of it is kept for a later visit: of one file, and of all together. */
const mostOfOne = 8 * 1024 * 1024
const mostOfAll = 64 * 1024 * 1024

interface Holding {
  readonly writer: KeptWriter
  readonly upload: PreparedUpload
  readonly file: File
}

/** Seals a pasted file as its upload does, and keeps it beside its note for as long as that is there. Never rejects. */
export async function hold({ writer, upload, file }: Holding): Promise<void> {
  const { uploadId, keys } = upload
  if (file.size > mostOfOne) return
  try {
    const sealed = await apart((worker) => worker.run('seal', { keys, file }))
    await writer.write(async (step) => {
      const store = step.objectStore('uploads')
      const entries = await store.getAll()
      const entry = entries.find((one) => one.uploadId === uploadId)
      const heldBytes = entries.reduce((sum, one) => sum + (one.heldBytes ?? 0), 0)
      if (!entry || heldBytes + file.size > mostOfAll) return
      await step.objectStore('held').put(sealed, uploadId)
      await store.put({ ...entry, heldBytes: file.size })
    })
  } catch {
    // Without room for it, it is told at the next visit that it has to be pasted again.
  }
}

/** The pasted file as it was; null where it is not held any more. Rejects where it is damaged. */
export async function openHeld({ uploadId, keys }: PreparedUpload, kept: KeptFile): Promise<File | null> {
  const sealed = await readHeld(uploadId)
  if (!sealed) return null
  const plain = await apart((worker) => worker.run('open', { keys, sealed }))
  return new File([plain], kept.name, { type: kept.type, lastModified: kept.lastModified })
}

async function apart<Result>(work: (worker: TaskPort<HeldTasks>) => Promise<Result>): Promise<Result> {
  const worker = startWorker<HeldTasks>(heldWorkerUrl, 'held')
  try {
    return await work(worker)
  } finally {
    worker.end()
  }
}

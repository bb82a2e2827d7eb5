import { runWhileOnline } from '@sallyport/client/connectivity'
import { ClientError } from '@sallyport/client/errors'
import { runConcurrently } from '../concurrency.ts'
import { sendChunks, sendInOneRequest } from './send-file.ts'
import { completeUpload, getUploadStatus } from './server-upload.ts'
import type { UploadRun } from './upload-run.ts'

interface SendUploadOptions {
  /** Whether parts of it may already be on the server. */
  readonly isResumed: boolean
  /** Rejects if the file has changed since it was planned. */
  readonly verifyUnchanged: () => Promise<void>
}

/** Uploads a file, or what the server lacks of it; returns the id of the file that the server created. */
export async function sendUpload(run: UploadRun, { isResumed, verifyUnchanged }: SendUploadOptions): Promise<string> {
  const status = isResumed ? await findReusableChunks(run) : { stored: new Set<number>() }
  if ('fileId' in status) return status.fileId
  if (run.upload.plan.isSingle) {
    const fileId = await sendInOneRequest(run)
    await verifyUnchanged()
    return fileId
  }
  await sendChunks(run, status.stored)
  await verifyUnchanged()
  return completeUpload(run)
}

/** Finds the chunks that need not be sent again: the server has them and they were sealed from this very file. */
async function findReusableChunks(run: UploadRun) {
  const { call, upload, clock, connectivity, progress, signal } = run
  const status = await runWhileOnline(connectivity, signal, (attemptSignal) =>
    getUploadStatus(call, upload, attemptSignal),
  )
  if (status.state === 'finished') return { fileId: status.fileId }
  const chunksOf = (indexes: ReadonlySet<number>) => [...indexes].map((index) => upload.plan.chunk(index))
  progress.resume(chunksOf(status.stored), clock.now(), false)
  const stored = status.stored.intersection(await verifySameBytes(run))
  progress.resume(chunksOf(stored), clock.now(), true)
  return { stored }
}

const concurrentChecks = 2

/**
 * Reads every chunk that was ever sealed and compares it with its record digests; returns their indexes. Throws a
 * `FILE_DIFFERS` at the first difference: parts of two files are never combined.
 */
async function verifySameBytes({ upload, journal, workerPool, signal }: UploadRun): Promise<ReadonlySet<number>> {
  const allDigests = await journal.recordDigests()
  const remaining = [...allDigests].filter(([index]) => index < upload.plan.chunkCount)
  await runConcurrently(concurrentChecks, signal, async (_slot, checkSignal) => {
    for (let next = remaining.pop(); next; next = remaining.pop()) {
      const [index, recordDigests] = next
      const task = { chunk: upload.plan.chunk(index), recordDigests }
      const isSame = await workerPool.use(0, (worker) => worker.isUnchanged(task, checkSignal))
      if (!isSame) throw new ClientError('FILE_DIFFERS')
    }
  })
  return new Set(allDigests.keys())
}

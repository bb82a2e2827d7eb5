import { runWhileOnline } from '@sallyport/client/connectivity'
import { ClientError } from '@sallyport/client/errors'
import { prepareRequest } from '@sallyport/client/request'
import type { EndpointSpec } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import { runConcurrently } from '../concurrency.ts'
import { chunkCallFor } from './destination.ts'
import type { Chunk } from './plan.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import { sendChunk } from './send-chunk.ts'
import { completeUpload, findStoredFile, getUploadStatus } from './server-upload.ts'
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

/** Seals and sends a small file in one request; returns the id of the file that the server created. */
async function sendInOneRequest(run: UploadRun): Promise<string> {
  const { upload, call, connection, signal } = run
  const headers = describeUpload(upload)
  const { id } = await sendChunk(run, {
    endpoint: files.upload,
    request: prepareRequest(files.upload, { headers }, connection.baseUrl),
    chunk: upload.plan.chunk(0),
    toFinalError: (error) => error,
    findStored: () => findStoredFile(call, upload.envelope, signal),
  })
  return id
}

/** Seals and sends all chunks except the stored ones in order, with limited concurrency. */
async function sendChunks(run: UploadRun, stored: ReadonlySet<number>): Promise<void> {
  const { plan } = run.upload
  /** Limit of concurrent requests; it drops when the connection is too slow for one chunk. */
  let inFlight: number = transferLimits.maxInFlight
  let next = 0
  const onTimeout = () => {
    inFlight = transferLimits.minInFlight
  }
  await runConcurrently(inFlight, run.signal, async (slot, signal) => {
    while (slot < inFlight && next < plan.chunkCount) {
      const chunk = plan.chunk(next)
      next += 1
      if (!stored.has(chunk.index)) await sendOneChunk({ ...run, signal }, chunk, onTimeout)
    }
  })
}

function sendOneChunk(run: UploadRun, chunk: Chunk, onTimeout: () => void) {
  const { upload, connection } = run
  const { endpoint, params, headers } = chunkCallFor(upload.destination)
  const chunkHeaders = {
    ...headers,
    ...describeUpload(upload),
    'x-upload-id': upload.uploadId,
    'x-chunk-index': String(chunk.index),
    'x-chunk-size': String(upload.plan.chunkBytes),
  }
  return sendChunk<EndpointSpec>(run, {
    endpoint,
    request: prepareRequest(endpoint, { params, headers: chunkHeaders }, connection.baseUrl),
    chunk,
    toFinalError: (error) => new ClientError('UPLOAD_CHUNK_FAILED', { index: chunk.index, cause: error }),
    onTimeout,
  })
}

const describeUpload = ({ sealedName, envelope, expirationMinutes }: PreparedUpload) => ({
  'x-file-name': sealedName,
  'x-encrypted-file-key': envelope,
  ...(expirationMinutes !== undefined && { 'x-file-expiration-minutes': String(expirationMinutes) }),
})

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

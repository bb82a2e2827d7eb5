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
import { findStoredFile } from './server-upload.ts'
import type { UploadRun } from './upload-run.ts'

/** Seals and sends a small file in one request; returns the id of the file that the server created. */
export async function sendInOneRequest(run: UploadRun): Promise<string> {
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
export async function sendChunks(run: UploadRun, stored: ReadonlySet<number>): Promise<void> {
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

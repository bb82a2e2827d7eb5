import { withFreshToken } from '@sallyport/client/call'
import { runWhileOnline, waitIfAway, waitUntilOnline } from '@sallyport/client/connectivity'
import { ApiError, ClientError, NetworkError } from '@sallyport/client/errors'
import { withBearer } from '@sallyport/client/http'
import type { PreparedRequest } from '@sallyport/client/request'
import { parseResponse } from '@sallyport/client/response'
import type { EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { ignore } from '@sallyport/contract/ignore'
import { transferLimits } from '@sallyport/contract/limits'
import type { ChunkProgress, EncryptWorker, SendOutcome } from './encrypt-worker.ts'
import { isTransient, toUploadError } from './errors.ts'
import type { Chunk } from './plan.ts'
import type { UploadRun } from './upload-run.ts'

interface ChunkRequest<E extends EndpointSpec> {
  readonly endpoint: E
  readonly request: PreparedRequest
  readonly chunk: Chunk
  readonly onTimeout?: () => void
  /** Returns the error to throw when the last attempt failed like this. */
  readonly toFinalError: (last: Error) => Error
  /** Checks whether a failed attempt was stored by the server after all; called before each retry. */
  readonly findStored?: () => Promise<Reply<E> | null>
}

/** Seals one chunk in a worker and sends it; its digests are journaled before it counts as stored. */
export function sendChunk<E extends EndpointSpec>(run: UploadRun, request: ChunkRequest<E>): Promise<Reply<E>> {
  const { upload, workerPool, journal, progress } = run
  const { chunk } = request
  let journaled: Promise<void> = Promise.resolve()
  const onProgress = (chunkProgress: ChunkProgress) => {
    if (chunkProgress.recordDigests && !upload.plan.isSingle)
      journaled = journal.write(chunk.index, chunkProgress.recordDigests)
    progress.report(chunk, chunkProgress)
  }
  return workerPool.use(chunk.end - chunk.start, async (worker) => {
    const reply = await sendWithRetries({ ...run, ...request, worker, onProgress })
    await journaled
    progress.chunkStored(chunk)
    return reply
  })
}

interface Sending<E extends EndpointSpec> extends UploadRun, ChunkRequest<E> {
  readonly worker: EncryptWorker
  readonly onProgress: (progress: ChunkProgress) => void
}

/**
 * Retries transient errors up to three times with the same sealed bytes. While the server is away it waits without a
 * limit, and earlier attempts do not count.
 */
async function sendWithRetries<E extends EndpointSpec>(sending: Sending<E>): Promise<Reply<E>> {
  const { clock, connectivity, findStored, signal } = sending
  for (let attempt = 0; ; attempt += 1) {
    if (await waitUntilOnline(connectivity, signal)) attempt = 0
    const result = await runWhileOnline(connectivity, signal, (attemptSignal) =>
      attemptOnce({ ...sending, signal: attemptSignal }),
    )
    if ('reply' in result) return result.reply
    if (!isTransient(result.error)) throw result.error
    if (await waitIfAway(connectivity, result.error, signal)) {
      attempt = -1
    } else {
      const delayMs = transferLimits.retryDelaysMs[attempt]
      if (delayMs === undefined) throw sending.toFinalError(result.error)
      const retryAfterMs = result.error instanceof ApiError ? (result.error.retryAfterMs ?? 0) : 0
      await clock.wait(Math.max(delayMs, retryAfterMs), signal)
    }
    const stored = await findStored?.().catch((error) => ignore(error, 'the chunk is sent again'))
    if (stored) return stored
  }
}

type AttemptResult<E extends EndpointSpec> = { readonly reply: Reply<E> } | { readonly error: Error }

async function attemptOnce<E extends EndpointSpec>(sending: Sending<E>): Promise<AttemptResult<E>> {
  if (sending.endpoint.access !== 'account') return sendWithToken(sending, null)
  try {
    return await withFreshToken(
      sending.connection.getAccessToken,
      (token) => sendWithToken(sending, token),
      (result) => 'error' in result && result.error instanceof ApiError && result.error.status === 401,
    )
  } catch (error) {
    // The token could not be renewed because of a network error.
    if (error instanceof NetworkError) return { error: toUploadError(error) }
    throw error
  }
}

async function sendWithToken<E extends EndpointSpec>(
  sending: Sending<E>,
  token: string | null,
): Promise<AttemptResult<E>> {
  const { worker, chunk, request, transports, onProgress, onTimeout, signal } = sending
  const transport = transports.current()
  const task = { chunk, request: withBearer(request, token), transport, timeoutMs: transferLimits.chunkTimeoutMs }
  const outcome = await worker.encryptAndSend(task, onProgress, signal)
  if (transports.recordOutcome(transport, outcome) && transports.current() !== transport)
    return sendWithToken(sending, token)
  if (outcome.kind === 'timeout') onTimeout?.()
  return readOutcome(sending, outcome)
}

function readOutcome<E extends EndpointSpec>(
  { endpoint, chunk, clock }: Sending<E>,
  outcome: SendOutcome,
): AttemptResult<E> {
  if (outcome.kind === 'unreachable') return { error: new NetworkError() }
  if (outcome.kind === 'timeout') return { error: new ClientError('UPLOAD_CHUNK_TIMEOUT', { index: chunk.index }) }
  if (outcome.kind === 'file-changed') return { error: new ClientError('FILE_CHANGED') }
  try {
    return { reply: parseResponse(endpoint, outcome, clock.now()) }
  } catch (error) {
    return { error: toUploadError(error) }
  }
}

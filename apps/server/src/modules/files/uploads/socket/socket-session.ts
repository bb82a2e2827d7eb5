import { socketLimits } from '@sallyport/contract/server-limits'
import {
  parseUploadSocketMessage,
  type UploadSocketClientMessage,
  type UploadSocketServerMessage,
} from '@sallyport/contract/upload-socket'
import type { ApiError } from '../../../../errors.ts'
import { apiError } from '../../../../errors.ts'
import { toApiError } from '../../../../platform/http/api-errors.ts'
import { isBoundedJson } from '../../../../platform/http/limits/bounded-json.rules.ts'
import { createDiscardPace } from '../../../../platform/http/limits/discard-pace.ts'
import type { UploadService } from '../uploads.service.ts'
import { beginTransfer, type SocketTransfer, type UploadSocketClient } from './socket-transfer.ts'

interface SocketSessionDeps {
  readonly uploads: UploadService
  readonly ownerId: string
  readonly client: UploadSocketClient & { close(error: ApiError): void }
  readonly onUnexpectedError: (error: unknown) => void
}

/** The uploads of one socket, one after the other. */
export interface SocketSession {
  handleMessage(text: string): void
  handleBytes(bytes: Buffer): void
  /** Sends the error of the running upload and closes the socket. */
  fail(error: unknown): void
  /** Releases an upload that was not completed after the client has disconnected. */
  close(): Promise<void>
}

/** Processes the messages of a socket in order. The first error ends the session; later messages are discarded. */
export function openSocketSession({ uploads, ownerId, client, onUnexpectedError }: SocketSessionDeps): SocketSession {
  const pending: (() => void)[] = []
  const slowDown = createDiscardPace(client)
  let transfer: SocketTransfer | null = null
  let isBusy = false
  let hasEnded = false
  let closing: Promise<void> = Promise.resolve()

  function enqueue(work: () => void): void {
    if (hasEnded) return void slowDown()
    if (isBusy) return void pending.push(work)
    try {
      work()
    } catch (error) {
      fail(error)
    }
  }

  /** Queues incoming messages until this work is done. */
  function runExclusive(work: () => Promise<void>): void {
    isBusy = true
    client.pause()
    work()
      .catch(fail)
      .finally(() => {
        isBusy = false
        while (!isBusy && pending.length > 0) enqueue(pending.shift() as () => void)
        if (!isBusy) client.resume()
      })
  }

  function handleRequest(request: UploadSocketClientMessage): void {
    if (request.type === 'upload-start') return void runExclusive(() => start(request))
    if (!transfer || transfer.isDone || transfer.uploadId !== request.uploadId) throw apiError('UPLOAD_NOT_FOUND')
    const { uploadId } = request
    const completed = transfer
    runExclusive(async () => {
      const fileId = await completed.complete(request.actualEncryptedSize)
      if (!hasEnded) client.send({ type: 'upload-complete', uploadId, fileId, message: 'Upload complete' })
    })
  }

  async function start(request: Extract<UploadSocketClientMessage, { type: 'upload-start' }>): Promise<void> {
    if (transfer && !transfer.isDone) throw apiError('CONFLICT')
    // An upload that was started over HTTP is not cancelled when a socket breaks.
    if (request.chunkIndex === undefined && (await uploads.isOpen(ownerId, request.uploadId)))
      throw apiError('CONFLICT')
    if (hasEnded) return
    transfer = beginTransfer({ uploads, ownerId, start: request, client, onFailure: fail })
  }

  function fail(error: unknown): void {
    if (hasEnded) return
    const publicError = toApiError(error as Error)
    if (publicError.status >= 500) onUnexpectedError(publicError.cause ?? error)
    client.send(toErrorMessage(publicError, transfer?.uploadId))
    void close()
    client.close(publicError)
  }

  function close(): Promise<void> {
    if (!hasEnded) closing = transfer?.abort() ?? closing
    hasEnded = true
    pending.length = 0
    client.resume()
    return closing
  }

  return {
    handleMessage(text) {
      enqueue(() => {
        const isBounded = text.length <= socketLimits.frameBytes && isBoundedJson(text)
        const request = isBounded ? parseUploadSocketMessage(text) : null
        if (!request) throw apiError('BAD_REQUEST')
        handleRequest(request)
      })
    },
    handleBytes(bytes) {
      enqueue(() => {
        if (!transfer || transfer.isDone)
          throw apiError('BAD_REQUEST', { text: 'Send upload-start before sending bytes' })
        transfer.write(bytes)
      })
    },
    fail,
    close,
  }
}

function toErrorMessage(error: ApiError, uploadId: string | undefined): UploadSocketServerMessage {
  const { code, status, retryAfterSeconds, details } = error
  return {
    type: 'upload-error',
    ...(uploadId !== undefined && { uploadId }),
    error: error.message,
    code,
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(details && { details }),
  }
}

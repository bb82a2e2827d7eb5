import { socketLimits } from '@sallyport/contract/server-limits'
import { readUploadSocketAsk, type UploadSocketAnswer, type UploadSocketAsk } from '@sallyport/contract/upload-socket'
import type { AppError } from '../errors.ts'
import { refuse } from '../errors.ts'
import { asRefusal } from '../http/refusals.ts'
import { beginTransfer, type SocketLine, type SocketTransfer } from './socket-transfer.ts'
import type { Uploads } from './uploads.service.ts'

interface Parts {
  readonly uploads: Uploads
  readonly ownerId: string
  readonly line: SocketLine & { close(refusal: AppError): void }
  readonly onUnforeseen: (error: unknown) => void
}

/** What a socket carries uploads with: one after the other, each from its start to its end. */
export interface SocketSession {
  hear(text: string): void
  take(bytes: Buffer): void
  /** Ends what is under way, in words, and then the socket. */
  fail(error: unknown): void
  /** The other side is gone: what has not become a file is given up. */
  leave(): Promise<void>
}

/** Takes what a socket brings in its order. The first refusal ends it: what then still comes is let through to nowhere. */
export function openSocketSession({ uploads, ownerId, line, onUnforeseen }: Parts): SocketSession {
  const waiting: (() => void)[] = []
  let transfer: SocketTransfer | null = null
  let isSettling = false
  let hasEnded = false
  let leaving: Promise<void> = Promise.resolve()

  function inTurn(work: () => void): void {
    if (hasEnded) return
    if (isSettling) return void waiting.push(work)
    try {
      work()
    } catch (error) {
      fail(error)
    }
  }

  /** Has everything that comes meanwhile wait for the end of this. */
  function settle(work: () => Promise<void>): void {
    isSettling = true
    line.wait()
    work()
      .catch(fail)
      .finally(() => {
        isSettling = false
        while (!isSettling && waiting.length > 0) inTurn(waiting.shift() as () => void)
        if (!isSettling) line.goOn()
      })
  }

  function answer(ask: UploadSocketAsk): void {
    if (ask.type === 'upload-start') return void settle(() => start(ask))
    if (!transfer || transfer.isOver || transfer.uploadId !== ask.uploadId) throw refuse('UPLOAD_NOT_FOUND')
    const { uploadId } = ask
    const completed = transfer
    settle(async () => {
      const fileId = await completed.complete(ask.actualEncryptedSize)
      if (!hasEnded) line.tell({ type: 'upload-complete', uploadId, fileId, message: 'Upload complete' })
    })
  }

  async function start(ask: Extract<UploadSocketAsk, { type: 'upload-start' }>): Promise<void> {
    if (transfer && !transfer.isOver) throw refuse('CONFLICT')
    // An upload that was begun by requests is not given up for a socket that happens to be cut.
    if (ask.chunkIndex === undefined && (await uploads.isOpen(ownerId, ask.uploadId))) throw refuse('CONFLICT')
    if (hasEnded) return
    transfer = beginTransfer({ uploads, ownerId, start: ask, line, onFailure: fail })
  }

  function fail(error: unknown): void {
    if (hasEnded) return
    const refusal = asRefusal(error as Error)
    if (refusal.status >= 500) onUnforeseen(refusal.cause ?? error)
    line.tell(errorOf(refusal, transfer?.uploadId))
    void leave()
    line.close(refusal)
  }

  function leave(): Promise<void> {
    if (!hasEnded) leaving = transfer?.abandon() ?? leaving
    hasEnded = true
    waiting.length = 0
    line.goOn()
    return leaving
  }

  return {
    hear(text) {
      inTurn(() => {
        const ask = text.length > socketLimits.frameBytes ? null : readUploadSocketAsk(text)
        if (!ask) throw refuse('BAD_REQUEST')
        answer(ask)
      })
    },
    take(bytes) {
      inTurn(() => {
        if (!transfer || transfer.isOver) throw refuse('BAD_REQUEST', { text: 'Say upload-start before sending bytes' })
        transfer.take(bytes)
      })
    },
    fail,
    leave,
  }
}

function errorOf(refusal: AppError, uploadId: string | undefined): UploadSocketAnswer {
  const { code, status, retryAfterSeconds, details } = refusal
  return {
    type: 'upload-error',
    ...(uploadId !== undefined && { uploadId }),
    error: refusal.message,
    code,
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(details && { details }),
  }
}

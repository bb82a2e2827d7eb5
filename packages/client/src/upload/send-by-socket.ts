import { uploadSocketLimits } from '@sallyport/contract/limits'
import { live } from '@sallyport/contract/live'
import { UploadSocketAnswer, type UploadStart, uploadSocketPath } from '@sallyport/contract/upload-socket'
import { sealedSizeOf } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import * as z from 'zod/mini'
import { type Answer, readAnswer } from '../answer.ts'
import { type Clock, isTimeout, withDeadline } from '../clock.ts'
import { NetworkError } from '../errors.ts'
import { readWhole, send } from '../http.ts'
import { type PreparedRequest, prepareRequest } from '../request.ts'
import type { SendBytes } from './seal-lane.ts'
import type { SealedBody } from './sealed-places.ts'

interface Means {
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** Of the page; requests that name no server go there. */
  readonly origin: string
  readonly openSocket?: (url: string) => WebSocket
}

const frameBytes = 256 * 1024

/**
 * Sends what an upload request would carry as frames of a socket, and answers what the request would have been answered
 * with. A socket is used again while it is open. It tells of progress by what the server has read.
 */
export function sendBySocket(means: Means): SendBytes {
  const { clock } = means
  const idle: WebSocket[] = []
  const takeIdle = (): WebSocket | undefined => {
    for (let socket = idle.pop(); socket; socket = idle.pop()) if (socket.readyState === socket.OPEN) return socket
    return undefined
  }

  return async ({ request, body, timeoutMs, onSent, signal }) => {
    try {
      return await withDeadline({ clock, timeoutMs, signal }, async (ending) => {
        const opened = takeIdle() ?? (await openSocket(means, request, ending))
        if ('status' in opened) return { kind: 'answered' as const, ...opened }
        const answer = await talk(opened, { start: startOf(request), body, onSent, signal: ending })
        if (answer.status < 300) idle.push(opened)
        else opened.close()
        return { kind: 'answered' as const, ...answer }
      })
    } catch (error) {
      if (isTimeout(error)) return { kind: 'timeout' }
      if (error instanceof NetworkError) return { kind: 'unreachable' }
      throw error
    }
  }
}

/** An open socket, or the refusal of the ticket for it. */
async function openSocket(
  { fetch, clock, origin, openSocket: open = (url) => new WebSocket(url) }: Means,
  { url, headers }: PreparedRequest,
  signal: AbortSignal,
): Promise<WebSocket | Answer> {
  const { authorization = '' } = headers
  const server = new URL(url, origin).origin
  const ask = prepareRequest(live.ticket, { body: { purpose: 'upload' } }, server)
  const answer = await readWhole(
    await send(fetch, { ...ask, headers: { ...ask.headers, authorization } }, signal),
    signal,
  )
  if (answer.status >= 300) return answer
  const address = new URL(uploadSocketPath, server)
  address.protocol = address.protocol.replace('http', 'ws')
  address.searchParams.set('session', readAnswer(live.ticket, answer, clock.now()).ticket)
  const socket = open(address.href)
  socket.binaryType = 'arraybuffer'
  await new Promise<void>((resolve, reject) => {
    const stop = () => socket.close()
    signal.addEventListener('abort', stop, { once: true })
    socket.onopen = () => resolve()
    socket.onclose = () => reject(signal.aborted ? signal.reason : new NetworkError())
  })
  return socket
}

/** The first message of an upload, from the headers of the request in whose place it stands. */
function startOf({ headers }: PreparedRequest): Omit<UploadStart, 'sessionId'> {
  const envelope = headers['x-encrypted-file-key'] ?? ''
  const { plainBytes, recordBytes } = parseEnvelope(envelope).header
  const number = (name: string) => (headers[name] === undefined ? undefined : Number(headers[name]))
  return {
    type: 'upload-start',
    uploadId: headers['x-upload-id'] ?? crypto.randomUUID(),
    fileName: headers['x-file-name'] ?? '',
    fileSize: plainBytes,
    encryptedSize: sealedSizeOf(plainBytes, recordBytes),
    encryptedFileKey: envelope,
    chunkSize: number('x-chunk-size'),
    chunkIndex: number('x-chunk-index'),
    fileExpirationMinutes: number('x-file-expiration-minutes'),
  }
}

interface Talk {
  readonly start: ReturnType<typeof startOf>
  readonly body: SealedBody
  readonly onSent: (sentBytes: number) => void
  readonly signal: AbortSignal
}

/** Sends the bytes, no further ahead of the server than it wants, and waits for what comes of them. */
function talk(socket: WebSocket, { start, body, onSent, signal }: Talk): Promise<Answer> {
  const bytes = body instanceof Blob ? body.size : body.length
  const { uploadId } = start
  let readBytes = 0
  let isOver = false
  let goOn: () => void = () => undefined
  const say = (message: object) => socket.send(JSON.stringify(message))

  async function pump(): Promise<void> {
    say(start)
    for (let first = 0; first < bytes && !isOver; first += frameBytes) {
      const frame = await cutOut(body, first, Math.min(bytes, first + frameBytes))
      while (!isOver && first + frame.byteLength - readBytes > uploadSocketLimits.aheadBytes) {
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      if (!isOver) socket.send(frame)
    }
    if (isOver || start.chunkIndex !== undefined) return
    say({ type: 'upload-complete-signal', uploadId, actualEncryptedSize: bytes })
  }

  return new Promise<Answer>((resolve, reject) => {
    const abort = () => {
      socket.close()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.onclose = () => reject(signal.aborted ? signal.reason : new NetworkError())
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const answer = readMessage(data)
      if (answer?.type === 'upload-progress') {
        readBytes = answer.bytesRead
        onSent(readBytes)
        goOn()
      } else if (answer) {
        signal.removeEventListener('abort', abort)
        resolve(asAnswer(answer))
      }
    }
    pump().catch(reject)
  }).finally(() => {
    isOver = true
    goOn()
    socket.onclose = null
    socket.onmessage = null
  })
}

const cutOut = async (body: SealedBody, first: number, end: number): Promise<Uint8Array<ArrayBuffer> | ArrayBuffer> =>
  body instanceof Blob ? body.slice(first, end).arrayBuffer() : body.subarray(first, end)

/** Null for what this version does not know. */
function readMessage(text: unknown): UploadSocketAnswer | null {
  try {
    const parsed = z.safeParse(UploadSocketAnswer, JSON.parse(String(text)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** What a request would have been answered with. */
function asAnswer(said: Exclude<UploadSocketAnswer, { type: 'upload-progress' }>): Answer {
  const answer = (status: number, body: object, retryAfter: string | null = null): Answer => ({
    status,
    body: JSON.stringify(body),
    retryAfter,
  })
  if (said.type === 'upload-error') {
    const { error, code, status, details, retryAfterSeconds } = said
    const retryAfter = retryAfterSeconds === undefined ? null : String(Math.ceil(retryAfterSeconds))
    return answer(status, { success: false, error, code, ...(details && { details }) }, retryAfter)
  }
  if (said.type === 'upload-chunk-stored') {
    return answer(200, { success: true, chunkIndex: said.chunkIndex, message: '' })
  }
  return answer(200, { success: true, id: said.fileId, fileId: said.fileId, message: said.message })
}

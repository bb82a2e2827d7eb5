import { type Clock, isTimeout, withDeadline } from '@sallyport/client/clock'
import { NetworkError } from '@sallyport/client/errors'
import { bufferResponse, sendRequest } from '@sallyport/client/http'
import { type PreparedRequest, prepareRequest } from '@sallyport/client/request'
import { type BufferedResponse, parseResponse } from '@sallyport/client/response'
import { ignore } from '@sallyport/contract/ignore'
import { uploadSocketLimits } from '@sallyport/contract/limits'
import { live } from '@sallyport/contract/live'
import { UploadSocketServerMessage, type UploadStart, uploadSocketPath } from '@sallyport/contract/upload-socket'
import { sealedSizeOf } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import * as z from 'zod/mini'
import type { SendBytes } from './encrypt-worker.ts'
import type { SealedBody } from './sealed-buffers.ts'

interface SendBySocketDeps {
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** Origin of the page; requests with a relative URL go there. */
  readonly origin: string
  readonly openSocket?: (url: string) => WebSocket
}

const frameBytes = 256 * 1024

/**
 * Sends the contents of an upload request as frames of a WebSocket and returns what the request would have been
 * answered with. An open socket is reused. Progress is what the server has read.
 */
export function sendBySocket(deps: SendBySocketDeps): SendBytes {
  const { clock } = deps
  const idle: WebSocket[] = []
  const acquireIdle = (): WebSocket | undefined => {
    for (let socket = idle.pop(); socket; socket = idle.pop()) if (socket.readyState === socket.OPEN) return socket
    return undefined
  }

  return async ({ request, body, timeoutMs, onSent, signal }) => {
    try {
      return await withDeadline({ clock, timeoutMs, signal }, async (deadlineSignal) => {
        const socket = acquireIdle() ?? (await openSocket(deps, request, deadlineSignal))
        if ('status' in socket) return { kind: 'answered' as const, ...socket }
        const response = await transmit(socket, {
          start: toStartMessage(request),
          body,
          onSent,
          signal: deadlineSignal,
        })
        if (response.status < 300) idle.push(socket)
        else socket.close()
        return { kind: 'answered' as const, ...response }
      })
    } catch (error) {
      if (isTimeout(error)) return { kind: 'timeout' }
      if (error instanceof NetworkError) return { kind: 'unreachable' }
      throw error
    }
  }
}

/** Returns an open socket, or the error response to the ticket request. */
async function openSocket(
  { fetch, clock, origin, openSocket: createSocket = (url) => new WebSocket(url) }: SendBySocketDeps,
  { url, headers }: PreparedRequest,
  signal: AbortSignal,
): Promise<WebSocket | BufferedResponse> {
  const { authorization = '' } = headers
  const server = new URL(url, origin).origin
  const ticketRequest = prepareRequest(live.ticket, { body: { purpose: 'upload' } }, server)
  const response = await bufferResponse(
    await sendRequest(fetch, { ...ticketRequest, headers: { ...ticketRequest.headers, authorization } }, signal),
    signal,
  )
  if (response.status >= 300) return response
  const address = new URL(uploadSocketPath, server)
  address.protocol = address.protocol.replace('http', 'ws')
  address.searchParams.set('session', parseResponse(live.ticket, response, clock.now()).ticket)
  const socket = createSocket(address.href)
  socket.binaryType = 'arraybuffer'
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => socket.close()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.onopen = () => resolve()
    socket.onclose = () => reject(signal.aborted ? signal.reason : new NetworkError())
  })
  return socket
}

/** Builds the first message of an upload from the headers of the request that it replaces. */
function toStartMessage({ headers }: PreparedRequest): Omit<UploadStart, 'sessionId'> {
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

interface TransmitInput {
  readonly start: ReturnType<typeof toStartMessage>
  readonly body: SealedBody
  readonly onSent: (sentBytes: number) => void
  readonly signal: AbortSignal
}

/** Sends the bytes, at most `aheadBytes` ahead of what the server has read, and waits for the result. */
function transmit(socket: WebSocket, { start, body, onSent, signal }: TransmitInput): Promise<BufferedResponse> {
  const bytes = body instanceof Blob ? body.size : body.length
  const { uploadId } = start
  let readBytes = 0
  let isOver = false
  let resumeSending: () => void = () => undefined
  const sendMessage = (message: object) => socket.send(JSON.stringify(message))

  async function pump(): Promise<void> {
    sendMessage(start)
    for (let first = 0; first < bytes && !isOver; first += frameBytes) {
      const frame = await sliceBody(body, first, Math.min(bytes, first + frameBytes))
      while (!isOver && first + frame.byteLength - readBytes > uploadSocketLimits.aheadBytes) {
        await new Promise<void>((resolve) => {
          resumeSending = resolve
        })
      }
      if (!isOver) socket.send(frame)
    }
    if (isOver || start.chunkIndex !== undefined) return
    sendMessage({ type: 'upload-complete-signal', uploadId, actualEncryptedSize: bytes })
  }

  return new Promise<BufferedResponse>((resolve, reject) => {
    const onAbort = () => {
      socket.close()
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.onclose = () => reject(signal.aborted ? signal.reason : new NetworkError())
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseMessage(data)
      if (message?.type === 'upload-progress') {
        readBytes = message.bytesRead
        onSent(readBytes)
        resumeSending()
      } else if (message) {
        signal.removeEventListener('abort', onAbort)
        resolve(toResponse(message))
      }
    }
    pump().catch(reject)
  }).finally(() => {
    isOver = true
    resumeSending()
    socket.onclose = null
    socket.onmessage = null
  })
}

const sliceBody = async (
  body: SealedBody,
  first: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer> | ArrayBuffer> =>
  body instanceof Blob ? body.slice(first, end).arrayBuffer() : body.subarray(first, end)

/** Returns null for messages that this version does not know. */
function parseMessage(text: unknown): UploadSocketServerMessage | null {
  try {
    const parsed = z.safeParse(UploadSocketServerMessage, JSON.parse(String(text)))
    return parsed.success ? parsed.data : null
  } catch (error) {
    ignore(error, 'a later version may send such messages')
    return null
  }
}

/** Converts a socket message to the HTTP response of the equivalent request. */
function toResponse(message: Exclude<UploadSocketServerMessage, { type: 'upload-progress' }>): BufferedResponse {
  const response = (status: number, body: object, retryAfter: string | null = null): BufferedResponse => ({
    status,
    body: JSON.stringify(body),
    retryAfter,
  })
  if (message.type === 'upload-error') {
    const { error, code, status, details, retryAfterSeconds } = message
    const retryAfter = retryAfterSeconds === undefined ? null : String(Math.ceil(retryAfterSeconds))
    return response(status, { success: false, error, code, ...(details && { details }) }, retryAfter)
  }
  if (message.type === 'upload-chunk-stored') {
    return response(200, { success: true, chunkIndex: message.chunkIndex, message: '' })
  }
  return response(200, { success: true, id: message.fileId, fileId: message.fileId, message: message.message })
}

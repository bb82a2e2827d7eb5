import type { createFileServer } from '@sallyport/client/testing/file-server'
import { setImmediate } from '@sallyport/client/testing/set-immediate'
import { errorCatalogue } from '@sallyport/contract/errors'
import { UploadSocketServerMessage, type UploadStart } from '@sallyport/contract/upload-socket'
import { sealedSizeOf } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import fc from 'fast-check'
import { arbitraryOf } from './arbitrary.ts'
import type { ServerSocket } from './fake-socket.ts'
import type { LyingServer } from './server.ts'

/** A message that the server sends over the upload socket in addition to or instead of the honest one. */
export interface SocketLie {
  /** Index of the affected message, from 0. */
  readonly index: number
  readonly position: 'before' | 'after' | 'instead' | 'close'
  readonly answer: UploadSocketServerMessage
}

/** The longest pause that the test clock skips. */
const maxPauseSeconds = 40

/** Every message that the contract allows, with short retry delays. */
export const anyUploadAnswer: fc.Arbitrary<UploadSocketServerMessage> = fc
  .tuple(
    arbitraryOf(UploadSocketServerMessage) as fc.Arbitrary<UploadSocketServerMessage>,
    fc.constantFrom(...(Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[])),
    fc.constantFrom(400, 401, 404, 409, 413, 429, 500, 503),
  )
  .map(([answer, code, status]) => {
    if (answer.type !== 'upload-error') return answer
    const { retryAfterSeconds: retryAfter, ...rest } = answer
    const pause = retryAfter === undefined ? {} : { retryAfterSeconds: Math.min(Math.abs(retryAfter), maxPauseSeconds) }
    return { ...rest, ...pause, code, status }
  })

export const socketLies: fc.Arbitrary<readonly SocketLie[]> = fc.array(
  fc.record({
    index: fc.nat(12),
    position: fc.constantFrom('before', 'after', 'instead', 'instead', 'close'),
    answer: anyUploadAnswer,
  }),
  { minLength: 1, maxLength: 3 },
)

interface UploadSocketServer {
  readonly files: ReturnType<typeof createFileServer>
  readonly server: Pick<LyingServer, 'calls' | 'seen'>
  readonly lies: readonly SocketLie[]
  /** Called with the sealed bytes of a complete upload or chunk. */
  readonly onBytes: (envelope: string, bytes: Uint8Array) => void
}

/** The server end of upload sockets: stores uploads and answers honestly except for the given lies. */
export function acceptUploads({ files, server, lies, onBytes }: UploadSocketServer): (socket: ServerSocket) => void {
  let sentCount = 0

  return (socket) => {
    let start: UploadStart | null = null
    let received: Uint8Array[] = []

    function send(answer: UploadSocketServerMessage, isLast: boolean): void {
      const lie = lies.find(({ index }) => index === sentCount)
      sentCount += 1
      server.calls.add(`upload ${answer.type}`)
      if (lie?.position === 'close') {
        socket.close()
        return
      }
      const messages = lie?.position === 'instead' ? [lie.answer] : lie ? [answer, lie.answer] : [answer]
      for (const message of lie?.position === 'before' ? messages.toReversed() : messages)
        socket.send(JSON.stringify(message))
      // Closes the socket so that a client that waits for the replaced last message ends.
      if (isLast && lie?.position === 'instead') setImmediate(() => setImmediate(() => socket.close()))
    }

    async function store(upload: UploadStart): Promise<void> {
      const bytes = await new Blob(received as Uint8Array<ArrayBuffer>[]).bytes()
      onBytes(upload.encryptedFileKey, bytes)
      const answer = await files.fetch(...toRequest(upload, bytes))
      const { id = '' } = (await answer.json()) as { id?: string }
      const { uploadId, chunkIndex } = upload
      if (chunkIndex !== undefined) return send({ type: 'upload-chunk-stored', uploadId, chunkIndex }, true)
      send({ type: 'upload-complete', uploadId, fileId: id, message: '' }, true)
    }

    socket.onReceive = (data) => {
      if (typeof data === 'string') {
        const message = JSON.parse(data)
        server.seen.add(message)
        if (message.type === 'upload-complete-signal' && start) return void store(start)
        start = message
        received = []
        return
      }
      if (!start) return
      received.push(new Uint8Array(data))
      const bytesRead = received.reduce((sum, { length }) => sum + length, 0)
      const totalBytes = expectedBytes(start)
      const progress = Math.round((100 * bytesRead) / totalBytes)
      send({ type: 'upload-progress', uploadId: start.uploadId, progress, bytesRead, totalBytes }, false)
      if (start.chunkIndex !== undefined && bytesRead === totalBytes) void store(start)
    }
  }
}

function expectedBytes({ encryptedFileKey, chunkIndex, chunkSize = 0, encryptedSize }: UploadStart): number {
  if (chunkIndex === undefined) return encryptedSize
  const { plainBytes, recordBytes } = parseEnvelope(encryptedFileKey).header
  return sealedSizeOf(Math.min(chunkSize, plainBytes - chunkIndex * chunkSize), recordBytes)
}

/** The equivalent request to the file server. */
function toRequest(start: UploadStart, body: Uint8Array<ArrayBuffer>): [string, RequestInit] {
  const { uploadId, fileName, encryptedFileKey, chunkIndex, chunkSize } = start
  const names = { 'x-file-name': fileName, 'x-encrypted-file-key': encryptedFileKey, authorization: 'Bearer token' }
  if (chunkIndex === undefined) return ['/api/upload', { method: 'POST', headers: names, body }]
  const chunkHeaders = {
    'x-upload-id': uploadId,
    'x-chunk-index': String(chunkIndex),
    'x-chunk-size': String(chunkSize),
  }
  return ['/api/upload-chunk', { method: 'POST', headers: { ...names, ...chunkHeaders }, body }]
}

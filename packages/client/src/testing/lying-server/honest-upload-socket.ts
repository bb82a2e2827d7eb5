import { errorCatalogue } from '@sallyport/contract/errors'
import { UploadSocketAnswer, type UploadStart } from '@sallyport/contract/upload-socket'
import { sealedSizeOf } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import fc from 'fast-check'
import type { createFileServer } from '../file-server.ts'
import { setImmediate } from '../next-turn.ts'
import { arbitraryOf } from './arbitrary.ts'
import type { ServerSocket } from './fake-socket.ts'
import type { LyingServer } from './server.ts'

/** What a server sends over the upload socket beside the truth, or in its place. */
export interface SocketLie {
  /** Which of its messages, from 0. */
  readonly at: number
  readonly how: 'before' | 'after' | 'instead' | 'close'
  readonly answer: UploadSocketAnswer
}

/** The longest pause that the clock of the tests passes by itself. */
const longestPauseSeconds = 40

/** Every message that the contract allows; pauses that it asks for are short. */
export const anyUploadAnswer: fc.Arbitrary<UploadSocketAnswer> = fc
  .tuple(
    arbitraryOf(UploadSocketAnswer) as fc.Arbitrary<UploadSocketAnswer>,
    fc.constantFrom(...(Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[])),
    fc.constantFrom(400, 401, 404, 409, 413, 429, 500, 503),
  )
  .map(([answer, code, status]) => {
    if (answer.type !== 'upload-error') return answer
    const { retryAfterSeconds: asked, ...rest } = answer
    const pause = asked === undefined ? {} : { retryAfterSeconds: Math.min(Math.abs(asked), longestPauseSeconds) }
    return { ...rest, ...pause, code, status }
  })

export const socketLies: fc.Arbitrary<readonly SocketLie[]> = fc.array(
  fc.record({
    at: fc.nat(12),
    how: fc.constantFrom('before', 'after', 'instead', 'instead', 'close'),
    answer: anyUploadAnswer,
  }),
  { minLength: 1, maxLength: 3 },
)

interface UploadSocketServer {
  readonly files: ReturnType<typeof createFileServer>
  readonly server: Pick<LyingServer, 'calls' | 'seen'>
  readonly lies: readonly SocketLie[]
  /** Called with the sealed bytes of a request or chunk once all of them are there. */
  readonly onBytes: (envelope: string, bytes: Uint8Array) => void
}

/** The server's end of upload sockets: stores what arrives and answers honestly but for the given lies. */
export function acceptUploads({ files, server, lies, onBytes }: UploadSocketServer): (socket: ServerSocket) => void {
  let sent = 0

  return (socket) => {
    let start: UploadStart | null = null
    let pieces: Uint8Array[] = []

    function send(answer: UploadSocketAnswer, isLast: boolean): void {
      const lie = lies.find(({ at }) => at === sent)
      sent += 1
      server.calls.add(`upload ${answer.type}`)
      if (lie?.how === 'close') {
        socket.close()
        return
      }
      const told = lie?.how === 'instead' ? [lie.answer] : lie ? [answer, lie.answer] : [answer]
      for (const message of lie?.how === 'before' ? told.toReversed() : told) socket.send(JSON.stringify(message))
      // A client that waits for a last message ends with the socket.
      if (isLast && lie?.how === 'instead') setImmediate(() => setImmediate(() => socket.close()))
    }

    async function store(begun: UploadStart): Promise<void> {
      const bytes = await new Blob(pieces as Uint8Array<ArrayBuffer>[]).bytes()
      onBytes(begun.encryptedFileKey, bytes)
      const answer = await files.fetch(...requestOf(begun, bytes))
      const { id = '' } = (await answer.json()) as { id?: string }
      const { uploadId, chunkIndex } = begun
      if (chunkIndex !== undefined) return send({ type: 'upload-chunk-stored', uploadId, chunkIndex }, true)
      send({ type: 'upload-complete', uploadId, fileId: id, message: '' }, true)
    }

    socket.onReceive = (data) => {
      if (typeof data === 'string') {
        const message = JSON.parse(data)
        server.seen.add(message)
        if (message.type === 'upload-complete-signal' && start) return void store(start)
        start = message
        pieces = []
        return
      }
      if (!start) return
      pieces.push(new Uint8Array(data))
      const bytesRead = pieces.reduce((sum, { length }) => sum + length, 0)
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

/** The same as a request to the server of files. */
function requestOf(start: UploadStart, body: Uint8Array<ArrayBuffer>): [string, RequestInit] {
  const { uploadId, fileName, encryptedFileKey, chunkIndex, chunkSize } = start
  const names = { 'x-file-name': fileName, 'x-encrypted-file-key': encryptedFileKey, authorization: 'Bearer token' }
  if (chunkIndex === undefined) return ['/api/upload', { method: 'POST', headers: names, body }]
  const place = { 'x-upload-id': uploadId, 'x-chunk-index': String(chunkIndex), 'x-chunk-size': String(chunkSize) }
  return ['/api/upload-chunk', { method: 'POST', headers: { ...names, ...place }, body }]
}

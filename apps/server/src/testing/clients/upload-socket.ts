import type { UploadSocketServerMessage } from '@sallyport/contract/upload-socket'
import { WebSocket } from 'ws'
import { type FileServer, randomUploadId, waitUntil } from '../servers/file-server.ts'
import { ownOrigin } from '../servers/test-context.ts'
import type { TestFile } from './sealed-file.ts'

interface UploadSocketOptions {
  readonly session?: string
  readonly origin?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens an upload socket as the web app does, unless overridden. Rejects with the HTTP status if the server rejects it. */
export async function openUploadSocket(server: FileServer, userId: string, options: UploadSocketOptions = {}) {
  const { session = await issueUploadTicket(server, userId), origin = ownOrigin, headers = {} } = options
  const address = `ws://127.0.0.1:${await server.listen()}/api/ws-upload?session=${encodeURIComponent(session)}`
  const socket = new WebSocket(address, { ...(origin !== null && { origin }), headers })
  const messages: UploadSocketServerMessage[] = []
  let closeCode: number | null = null
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  socket.on('close', (code) => {
    closeCode = code
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => reject(new SocketRejected(statusCode)))
    socket.once('error', reject)
  })

  const find = <Type extends UploadSocketServerMessage['type']>(type: Type) =>
    messages.find((answer): answer is Extract<UploadSocketServerMessage, { type: Type }> => answer.type === type)

  return {
    socket,
    messages,
    sendJson: (message: object) => socket.send(JSON.stringify(message)),
    send: (bytes: Uint8Array) => socket.send(bytes),
    /** Waits for the first message of a type. */
    async waitForMessage<Type extends UploadSocketServerMessage['type']>(type: Type) {
      await waitUntil(() => find(type) !== undefined || closeCode !== null)
      const found = find(type)
      if (!found) throw new Error(`The socket was closed with ${closeCode} after ${JSON.stringify(messages)}`)
      return found
    },
    /** Waits until the socket is closed and returns the close code. */
    async waitForClose(): Promise<number> {
      await waitUntil(() => closeCode !== null)
      return closeCode ?? 0
    },
  }
}

export const issueUploadTicket = ({ tickets }: FileServer, userId: string): Promise<string> =>
  tickets.issue({ purpose: 'upload', userId, authSessionId: userId })

/** The server rejected the socket with this HTTP status. */
export class SocketRejected extends Error {
  readonly status: number

  constructor(status: number) {
    super(`Rejected with ${status}`)
    this.status = status
  }
}

/** The first message of an upload, as in the specification. */
export const uploadStartMessage = (file: TestFile, uploadId = randomUploadId()) => ({
  type: 'upload-start',
  uploadId,
  fileName: file.name,
  fileSize: file.plain.length,
  encryptedSize: file.sealed.length,
  encryptedFileKey: file.envelope,
  sessionId: 'the session of the URL',
})

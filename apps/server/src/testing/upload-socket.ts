import type { UploadSocketAnswer } from '@sallyport/contract/upload-socket'
import { WebSocket } from 'ws'
import type { TestFile } from './sealed-file.ts'
import { anUploadId, ownOrigin, type StoringServer, until } from './storing-server.ts'

interface Opening {
  readonly session?: string
  readonly origin?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens an upload socket as a page of ours does, unless something else is wished; rejects with the status of a refusal. */
export async function openUploadSocket(server: StoringServer, userId: string, opening: Opening = {}) {
  const { session = await aTicket(server, userId), origin = ownOrigin, headers = {} } = opening
  const address = `ws://127.0.0.1:${await server.listen()}/api/ws-upload?session=${encodeURIComponent(session)}`
  const socket = new WebSocket(address, { ...(origin !== null && { origin }), headers })
  const answers: UploadSocketAnswer[] = []
  let closeCode: number | null = null
  socket.on('message', (data) => answers.push(JSON.parse(String(data))))
  socket.on('close', (code) => {
    closeCode = code
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => reject(new SocketRefused(statusCode)))
    socket.once('error', reject)
  })

  const find = <Type extends UploadSocketAnswer['type']>(type: Type) =>
    answers.find((answer): answer is Extract<UploadSocketAnswer, { type: Type }> => answer.type === type)

  return {
    socket,
    answers,
    say: (message: object) => socket.send(JSON.stringify(message)),
    send: (bytes: Uint8Array) => socket.send(bytes),
    /** Waits for the first answer of a kind. */
    async answer<Type extends UploadSocketAnswer['type']>(type: Type) {
      await until(() => find(type) !== undefined || closeCode !== null)
      const found = find(type)
      if (!found) throw new Error(`The socket was closed with ${closeCode} after ${JSON.stringify(answers)}`)
      return found
    },
    /** Waits until the socket is closed, and answers the code. */
    async closed(): Promise<number> {
      await until(() => closeCode !== null)
      return closeCode ?? 0
    },
  }
}

export const aTicket = ({ tickets }: StoringServer, userId: string): Promise<string> =>
  tickets.issue({ purpose: 'upload', userId, signInId: userId })

/** The status an opening was refused with. */
export class SocketRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`Refused with ${status}`)
    this.status = status
  }
}

/** The first message of an upload, as the specification words it. */
export const startOf = (file: TestFile, uploadId = anUploadId()) => ({
  type: 'upload-start',
  uploadId,
  fileName: file.name,
  fileSize: file.plain.length,
  encryptedSize: file.sealed.length,
  encryptedFileKey: file.envelope,
  sessionId: 'what stands in the address',
})

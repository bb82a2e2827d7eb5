import type { Socket } from 'node:net'
import { expect } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { openUploadSocket, uploadStartMessage } from '../../testing/clients/upload-socket.ts'
import { referencedBytes } from '../../testing/referenced-bytes.ts'
import { onFileServer, waitUntil } from '../../testing/servers/file-server.ts'

const megabyte = 1024 * 1024

type OpenUploadSocket = Awaited<ReturnType<typeof openUploadSocket>>

/** The TCP connection of a socket, to send frames that ws would not. */
const connectionOf = ({ socket }: OpenUploadSocket): Socket => (socket as unknown as { _socket: Socket })._socket

/** The header of a binary frame with an all-zero mask. */
function frameHeader(bytes: number): Buffer {
  const header = Buffer.alloc(14)
  header.writeUInt16BE(0x82ff)
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

const bytesRead = ({ messages }: OpenUploadSocket): number =>
  Math.max(0, ...messages.map((answer) => (answer.type === 'upload-progress' ? answer.bytesRead : 0)))

onFileServer('FIL-07 a long frame is stored as it arrives and not buffered', async (server) => {
  const ann = await server.createUser()
  const file = await sealFile({ plainBytes: 7 * megabyte })
  const start = uploadStartMessage(file)
  const socket = await openUploadSocket(server, ann)
  const connection = connectionOf(socket)
  const half = file.sealed.length / 2

  socket.sendJson(start)
  connection.write(frameHeader(file.sealed.length))
  connection.write(file.sealed.subarray(0, half))
  await waitUntil(() => bytesRead(socket) >= half - megabyte)
  connection.write(file.sealed.subarray(half))
  socket.sendJson({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
  const { fileId } = await socket.waitForMessage('upload-complete')

  const download = await server.call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

onFileServer('FIL-07 sockets that stall in the middle of long frames use little memory', async (server) => {
  const ann = await server.createUser()
  const file = await sealFile({ plainBytes: 17 * megabyte })
  const half = file.sealed.subarray(0, 8 * megabyte)
  const opened: OpenUploadSocket[] = []
  const before = referencedBytes()

  for (let count = 0; count < 4; count += 1) {
    const socket = await openUploadSocket(server, ann)
    opened.push(socket)
    socket.sendJson(uploadStartMessage(file))
    const connection = connectionOf(socket)
    connection.write(frameHeader(2 * half.length))
    await new Promise<void>((resolve) => void connection.write(half, () => resolve()))
  }
  await waitUntil(() => opened.every((socket) => socket.socket.bufferedAmount === 0))
  await new Promise((resolve) => setTimeout(resolve, 1000))

  expect((referencedBytes() - before) / megabyte).toBeLessThan(8)
})

onFileServer('FIL-07 fragmented frames of odd sizes with interleaved pings carry the same bytes', async (server) => {
  const ann = await server.createUser()
  const file = await sealFile({ plainBytes: 300_000 })
  const start = uploadStartMessage(file)
  const socket = await openUploadSocket(server, ann)

  socket.sendJson(start)
  for (let first = 0; first < file.sealed.length; first += 70_001) {
    const fin = first + 70_001 >= file.sealed.length
    socket.socket.send(file.sealed.subarray(first, first + 70_001), { binary: true, fin })
    socket.socket.ping('between')
  }
  socket.sendJson({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
  const { fileId } = await socket.waitForMessage('upload-complete')

  const download = await server.call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

onFileServer(
  'FIL-07 a frame that arrives byte by byte, including its header, carries the same bytes',
  async (server) => {
    const ann = await server.createUser()
    const file = await sealFile({ plainBytes: 100 })
    const start = uploadStartMessage(file)
    const socket = await openUploadSocket(server, ann)
    const connection = connectionOf(socket).setNoDelay(true)

    socket.sendJson(start)
    for (const byte of Buffer.concat([frameHeader(file.sealed.length), file.sealed])) {
      connection.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    socket.sendJson({
      type: 'upload-complete-signal',
      uploadId: start.uploadId,
      actualEncryptedSize: file.sealed.length,
    })
    const { fileId } = await socket.waitForMessage('upload-complete')

    const download = await server.call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
  },
)

import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { onStoringServer, until } from '../testing/storing-server.ts'
import { openUploadSocket, startOf } from '../testing/upload-socket.ts'

const megabyte = 1024 * 1024

type OpenUploadSocket = Awaited<ReturnType<typeof openUploadSocket>>

/** The connection under a socket, to send what the library would not. */
const connectionOf = ({ socket }: OpenUploadSocket): Socket => (socket as unknown as { _socket: Socket })._socket

/** The header of a binary frame whose mask changes nothing. */
function frameHeader(bytes: number): Buffer {
  const header = Buffer.alloc(14)
  header.writeUInt16BE(0x82ff)
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

const bytesRead = ({ answers }: OpenUploadSocket): number =>
  Math.max(0, ...answers.map((answer) => (answer.type === 'upload-progress' ? answer.bytesRead : 0)))

onStoringServer('FIL-07 a long frame is stored as it arrives and not gathered', async (server) => {
  const ann = await server.aUser()
  const file = await sealFile({ plainBytes: 7 * megabyte })
  const start = startOf(file)
  const socket = await openUploadSocket(server, ann)
  const connection = connectionOf(socket)
  const half = file.sealed.length / 2

  socket.say(start)
  connection.write(frameHeader(file.sealed.length))
  connection.write(file.sealed.subarray(0, half))
  await until(() => bytesRead(socket) >= half - megabyte)
  connection.write(file.sealed.subarray(half))
  socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
  const { fileId } = await socket.answer('upload-complete')

  const download = await server.call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

/** Bytes in buffers that something still refers to. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

onStoringServer('FIL-07 sockets that stall in the middle of long frames hold little memory', async (server) => {
  const ann = await server.aUser()
  const file = await sealFile({ plainBytes: 17 * megabyte })
  const half = file.sealed.subarray(0, 8 * megabyte)
  const opened: OpenUploadSocket[] = []
  const before = heldBytes()

  for (let count = 0; count < 4; count += 1) {
    const socket = await openUploadSocket(server, ann)
    opened.push(socket)
    socket.say(startOf(file))
    const connection = connectionOf(socket)
    connection.write(frameHeader(2 * half.length))
    await new Promise<void>((resolve) => void connection.write(half, () => resolve()))
  }
  await until(() => opened.every((socket) => socket.socket.bufferedAmount === 0))
  await new Promise((resolve) => setTimeout(resolve, 1000))

  expect((heldBytes() - before) / megabyte).toBeLessThan(8)
})

onStoringServer(
  'FIL-07 frames in fragments, with pings between them and odd cuts, carry the same bytes',
  async (server) => {
    const ann = await server.aUser()
    const file = await sealFile({ plainBytes: 300_000 })
    const start = startOf(file)
    const socket = await openUploadSocket(server, ann)

    socket.say(start)
    for (let first = 0; first < file.sealed.length; first += 70_001) {
      const fin = first + 70_001 >= file.sealed.length
      socket.socket.send(file.sealed.subarray(first, first + 70_001), { binary: true, fin })
      socket.socket.ping('between')
    }
    socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
    const { fileId } = await socket.answer('upload-complete')

    const download = await server.call(ann, 'GET', `/api/download/${fileId}`)
    expect(download.rawPayload.equals(file.sealed)).toBe(true)
  },
)

onStoringServer('FIL-07 a frame that arrives byte by byte, header included, carries the same bytes', async (server) => {
  const ann = await server.aUser()
  const file = await sealFile({ plainBytes: 100 })
  const start = startOf(file)
  const socket = await openUploadSocket(server, ann)
  const connection = connectionOf(socket).setNoDelay(true)

  socket.say(start)
  for (const byte of Buffer.concat([frameHeader(file.sealed.length), file.sealed])) {
    connection.write(Buffer.of(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.say({ type: 'upload-complete-signal', uploadId: start.uploadId, actualEncryptedSize: file.sealed.length })
  const { fileId } = await socket.answer('upload-complete')

  const download = await server.call(ann, 'GET', `/api/download/${fileId}`)
  expect(download.rawPayload.equals(file.sealed)).toBe(true)
})

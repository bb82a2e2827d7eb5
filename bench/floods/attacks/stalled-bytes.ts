import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { live } from '@sallyport/contract/live'
import { uploadSocketPath } from '@sallyport/contract/upload-socket'
import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type FileHeader,
  sealName,
  wrapFileKey,
} from '@sallyport/crypto'
import { planInChunks } from '@sallyport/transfers/engine/upload/plan'
import { createFloodAccount, type FloodAccount } from '../accounts.ts'
import { inParallel, repeatForever } from './repeat.ts'

const accounts = 4
const socketsPerAccount = 6
const frameBytes = 32 * 1024 * 1024
const trickleEveryMs = 1000
const stalledConnections = 1200
const connectionsPerAddress = 200

/** 4 accounts open 6 upload sockets each and send all but the end of one large frame. */
export const holdUploadFrames = (url: string): Promise<() => Promise<void>> => sendFrames(url, frameBytesOf)

/** The same with a length that the server rejects at once; the frame is sent nevertheless. */
export const sendRejectedUploads = (url: string): Promise<() => Promise<void>> =>
  sendFrames(url, (header) => frameBytesOf(header) + 1)

/** The sealed length of a chunk of 32 MiB. */
const frameBytesOf = (header: FileHeader): number => planInChunks(header, frameBytes).chunk(0).sealedBytes

async function sendFrames(url: string, announce: (header: FileHeader) => number): Promise<() => Promise<void>> {
  const floodAccounts: FloodAccount[] = []
  while (floodAccounts.length < accounts) floodAccounts.push(await createFloodAccount(url))
  return async () => {
    await Promise.all(
      floodAccounts.map((account, number) =>
        inParallel(socketsPerAccount, () =>
          repeatForever(2000, () => holdFrame({ url, account, localAddress: `127.1.6.${number + 1}`, announce })),
        ),
      ),
    )
  }
}

interface HeldFrame {
  readonly url: string
  readonly account: FloodAccount
  readonly localAddress: string
  /** The length that the upload announces. */
  readonly announce: (header: FileHeader) => number
}

async function holdFrame({ url, account, localAddress, announce }: HeldFrame): Promise<void> {
  const { ticket } = await account.call(live.ticket, { body: { purpose: 'upload' } })
  const socket = await openSocket(url, localAddress)
  const { host } = new URL(url)
  socket.write(
    `GET ${uploadSocketPath}?session=${encodeURIComponent(ticket)} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${url}\r\n` +
      `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.write(encodeFrame(1, Buffer.from(JSON.stringify(await createUploadStart(account, announce)))))
  const header = frameHeader(2, frameBytes)
  socket.write(header)
  const piece = Buffer.alloc(256 * 1024)
  const closed = once(socket, 'close')
  for (let sent = 0; sent < frameBytes - 100_000 - piece.length && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed])
  }
  await trickle(socket)
}

async function createUploadStart({ accountKey }: FloodAccount, announce: HeldFrame['announce']): Promise<object> {
  const header = createFileHeader({ kind: 'personal', plainBytes: 100e6 })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  return {
    type: 'upload-start',
    uploadId: randomBytes(16).toString('base64url'),
    fileName: await sealName({ name: 'held.bin', mimeType: '', lastModified: 0 }, keys),
    fileSize: 100e6,
    encryptedSize: announce(header),
    encryptedFileKey: await wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' }),
    chunkIndex: 0,
    chunkSize: frameBytes,
  }
}

/** 1,200 connections announce a body of 1,000 bytes and send one byte. */
export async function holdBodies(url: string): Promise<() => Promise<void>> {
  const { host } = new URL(url)
  return async () => {
    await inParallel(stalledConnections, (number) =>
      repeatForever(1000, async () => {
        const socket = await openSocket(url, `127.1.7.${1 + Math.floor(number / connectionsPerAddress)}`)
        socket.write(
          `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
        )
        await new Promise((resolve) => socket.once('close', resolve))
      }),
    )
  }
}

function openSocket(url: string, localAddress: string): Promise<Socket> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress }, () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => socket.destroy())
    socket.resume()
  })
}

/** Sends one byte a second until the server closes the connection. */
async function trickle(socket: Socket): Promise<void> {
  const timer = setInterval(() => socket.write(Buffer.alloc(1)), trickleEveryMs)
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
}

/** A masked WebSocket frame (RFC 6455, section 5.2) under a mask of zeros. */
const encodeFrame = (opcode: number, content: Buffer): Buffer =>
  Buffer.concat([frameHeader(opcode, content.length), content])

function frameHeader(opcode: number, length: number): Buffer {
  const header = Buffer.alloc(14)
  header[0] = 0x80 | opcode
  header[1] = 0x80 | 127
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}

import { relayPath } from '@sallyport/contract/portals'
import type { WebSocket } from 'ws'
import { createHttpClient, type HttpClient } from '../http-client.ts'
import { inParallel, repeatForever } from './repeat.ts'
import { nextMessage, openSignalling } from './signalling.ts'

const pairs = 4
const frame = Buffer.alloc(100 * 1024)
/** Bytes that a socket may buffer before its sender waits. */
const bufferedBytes = 4 * frame.length

/** 4 pairs without an account send bytes to each other through the relay at full speed. */
export async function occupyRelay(url: string): Promise<() => Promise<void>> {
  const clients = Array.from({ length: pairs }, (_, number) => createHttpClient(url, `127.1.5.${number + 1}`))
  return async () => {
    await inParallel(pairs, (number) =>
      repeatForever(500, async () => {
        const client = clients[number]
        if (client) await relayUntilClosed(client)
      }),
    )
  }
}

async function relayUntilClosed(client: HttpClient): Promise<void> {
  const [creator, joiner] = [await openSignalling(client), await openSignalling(client)]
  const sendJson = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message))
  try {
    const created = nextMessage(creator, 'room-created')
    sendJson(creator, { type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
    const { roomCode } = await created
    const [joined, arrived] = [nextMessage(joiner, 'room-joined'), nextMessage(creator, 'peer-joined')]
    sendJson(joiner, { type: 'join-room', roomCode, deviceName: 'Phone', px: { v: 2, mode: 'pin', y: 'Ya', ad: 'a' } })
    await Promise.all([joined, arrived])
    const confirmed = nextMessage(creator, 'px-confirm')
    sendJson(joiner, { type: 'px-confirm', tag: 'tag' })
    await confirmed
    const ready = [nextMessage(creator, 'px-relay-ready'), nextMessage(joiner, 'px-relay-ready')]
    sendJson(creator, { type: 'px-relay' })
    const tokens = await Promise.all(ready)
    const sockets = await Promise.all(tokens.map(({ token }) => client.openSocket(`${relayPath}?token=${token}`)))
    await Promise.race(sockets.map(sendUntilClosed))
    for (const socket of sockets) socket.terminate()
  } finally {
    creator.terminate()
    joiner.terminate()
  }
}

async function sendUntilClosed(socket: WebSocket): Promise<void> {
  socket.on('error', () => socket.terminate())
  let isOpen = true
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOpen = false
      resolve()
    })
  })
  const fill = (): void => {
    if (!isOpen) return
    if (socket.bufferedAmount < bufferedBytes) socket.send(frame, () => setImmediate(fill))
    else setTimeout(fill, 5)
  }
  fill()
  await closed
}

import type { SignalTold } from '@sallyport/contract/portals'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { openPortalPeer, type PortalPeer, portalTicket } from './portal-peer.ts'

interface Server {
  readonly url: string
}

interface PairOpening {
  readonly headers?: Record<string, string>
  /** Signs the device in that asks for the relay. */
  readonly accessToken?: string
}

interface PortalPair {
  readonly creator: PortalPeer
  readonly joiner: PortalPeer
  /** What the joiner was told when it came in. */
  readonly joined: Extract<SignalTold, { type: 'room-joined' }>
}

/** Two devices in a room that was proved, the second one at another node if there is one. */
export async function aPair(
  server: Server,
  another: Server = server,
  { headers, accessToken }: PairOpening = {},
): Promise<PortalPair> {
  const ticket = await portalTicket(server, accessToken)
  const [creator, joiner] = [
    await openPortalPeer(server, ticket, headers),
    await openPortalPeer(another, undefined, headers),
  ]
  creator.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  const { roomCode } = await creator.take('room-created')
  joiner.say({ type: 'join-room', roomCode, deviceName: 'Phone', px: { v: 2, mode: 'pin', y: 'Ya', ad: 'a' } })
  const joined = await joiner.take('room-joined')
  await creator.take('peer-joined')
  joiner.say({ type: 'px-confirm', tag: 'tag a' })
  await creator.take('px-confirm')
  return { creator, joiner, joined }
}

export async function tokensOf({ creator, joiner }: PortalPair): Promise<[string, string]> {
  creator.say({ type: 'px-relay' })
  return [(await creator.take('px-relay-ready')).token, (await joiner.take('px-relay-ready')).token]
}

/** Opens a socket at the relay; what it hears is kept. */
export function enterRelay(server: Server, token: string) {
  const url = `${server.url.replace('http', 'ws')}/api/portal-relay?token=${token}`
  const socket = new WebSocket(url, { origin: server.url })
  onTestFinished(() => socket.terminate())
  const frames: (Buffer | string)[] = []
  socket.on('message', (data, isBinary) => frames.push(isBinary ? (data as Buffer) : String(data)))
  socket.on('error', () => undefined)
  const opened = new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return { socket, frames, opened, closed }
}

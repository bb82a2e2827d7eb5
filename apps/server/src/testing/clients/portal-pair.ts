import type { ServerSignal } from '@sallyport/contract/portals'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { openPortalPeer, type PortalPeer, portalTicket } from './portal-peer.ts'

interface Server {
  readonly url: string
}

interface PortalPairOptions {
  readonly headers?: Record<string, string>
  /** Access token of the device that requests the relay. */
  readonly accessToken?: string
}

interface PortalPair {
  readonly creator: PortalPeer
  readonly joiner: PortalPeer
  /** The message that the creator received when the room was open. */
  readonly created: Extract<ServerSignal, { type: 'room-created' }>
  /** The message that the joiner received when it joined. */
  readonly joined: Extract<ServerSignal, { type: 'room-joined' }>
}

/** Connects two devices with a confirmed room, the second one to another node if given. */
export async function openPortalPair(
  server: Server,
  joinerServer: Server = server,
  { headers, accessToken }: PortalPairOptions = {},
): Promise<PortalPair> {
  const ticket = await portalTicket(server, accessToken)
  const [creator, joiner] = [
    await openPortalPeer(server, ticket, headers),
    await openPortalPeer(joinerServer, undefined, headers),
  ]
  creator.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  const created = await creator.waitFor('room-created')
  const { roomCode } = created
  joiner.send({ type: 'join-room', roomCode, deviceName: 'Phone', px: { v: 2, mode: 'pin', y: 'Ya', ad: 'a' } })
  const joined = await joiner.waitFor('room-joined')
  await creator.waitFor('peer-joined')
  joiner.send({ type: 'px-confirm', tag: 'tag a' })
  await creator.waitFor('px-confirm')
  return { creator, joiner, created, joined }
}

export async function requestRelayTokens({ creator, joiner }: PortalPair): Promise<[string, string]> {
  creator.send({ type: 'px-relay' })
  return [(await creator.waitFor('px-relay-ready')).token, (await joiner.waitFor('px-relay-ready')).token]
}

/** Opens a socket to the relay and records the received frames. */
export function openRelaySocket(server: Server, token: string) {
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

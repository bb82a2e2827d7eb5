import { setTimeout as pause } from 'node:timers/promises'
import { openPortalPeer, type PortalPeer } from './portal-peer.ts'

interface Server {
  readonly url: string
}

/** Reads a value from `/metrics`; the name includes the labels. */
export async function readMetric({ url }: Server, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}

/** Connects two legacy peers, which use only the protocol of the specification. */
export async function openLegacyPair(
  server: Server,
  headers: Record<string, string> = {},
): Promise<{ readonly sender: PortalPeer; readonly reader: PortalPeer }> {
  const [sender, reader] = [
    await openPortalPeer(server, undefined, headers),
    await openPortalPeer(server, undefined, headers),
  ]
  sender.send({ type: 'create-room', deviceName: 'Laptop' })
  const { roomCode } = await sender.waitFor('room-created')
  reader.send({ type: 'join-room', roomCode, deviceName: 'Phone' })
  await reader.waitFor('room-joined')
  await sender.waitFor('peer-joined')
  return { sender, reader }
}

/** Sends signals of 60 KB as fast as the server allows until the socket is closed or `isOver` returns true. */
export async function floodSignals({ socket }: PortalPeer, isOver: () => boolean): Promise<void> {
  const candidate = JSON.stringify({ type: 'webrtc-ice-candidate', data: 'x'.repeat(60_000) })
  for (let sent = 0; !isOver() && socket.readyState === socket.OPEN; sent += 1) {
    socket.send(candidate)
    if (sent > 50) await pause(55)
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { openPortalPeer, type PortalPeer } from './portal-peer.ts'

interface Server {
  readonly url: string
}

/** The value of a line of `/metrics`, labels included in its name. */
export async function metricOf({ url }: Server, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}

/** Two devices that met by the specification alone. */
export async function openBasicPair(
  server: Server,
  headers: Record<string, string> = {},
): Promise<{ readonly sender: PortalPeer; readonly reader: PortalPeer }> {
  const [sender, reader] = [
    await openPortalPeer(server, undefined, headers),
    await openPortalPeer(server, undefined, headers),
  ]
  sender.say({ type: 'create-room', deviceName: 'Laptop' })
  const { roomCode } = await sender.take('room-created')
  reader.say({ type: 'join-room', roomCode, deviceName: 'Phone' })
  await reader.take('room-joined')
  await sender.take('peer-joined')
  return { sender, reader }
}

/** Sends signals of 60 KB as fast as the server allows until the sender's socket is closed or it is told to stop. */
export async function floodSignals({ socket }: PortalPeer, isOver: () => boolean): Promise<void> {
  const candidate = JSON.stringify({ type: 'webrtc-ice-candidate', data: 'x'.repeat(60_000) })
  for (let sent = 0; !isOver() && socket.readyState === socket.OPEN; sent += 1) {
    socket.send(candidate)
    if (sent > 50) await pause(55)
  }
}

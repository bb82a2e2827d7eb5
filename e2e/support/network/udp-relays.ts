import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

declare global {
  interface Window {
    portOnTheWay(port: number): Promise<number>
  }
}

/** Forwards a packet now or later; `port` is its destination. */
export type ForwardPacket = (port: number, send: () => void) => void

/** Creates local UDP relays for the packets between browsers. */
export function createUdpRelays(forward: ForwardPacket = (_, send) => send()) {
  const relays = new Map<number, Promise<Socket>>()
  const cutPorts = new Set<number>()
  let isCut = false
  let bytes = 0

  /** Forwards packets of the device to the last sender, and all other packets to the device. */
  async function openRelay(port: number): Promise<Socket> {
    const relay = createSocket({ type: 'udp4', recvBufferSize: 4_000_000, sendBufferSize: 4_000_000 })
    let lastSender = 0
    relay.on('message', (packet, from) => {
      if (from.port !== port) lastSender = from.port
      const to = from.port === port ? lastSender : port
      if (isCut || to === 0 || cutPorts.has(port)) return
      bytes += packet.length
      forward(to, () => relay.send(packet, to, '127.0.0.1'))
    })
    relay.bind(0, '127.0.0.1')
    await once(relay, 'listening')
    return relay
  }

  return {
    /** Resolves with the relay port for the device at this port. */
    async relayPortFor(port: number): Promise<number> {
      const relay = relays.get(port) ?? openRelay(port)
      relays.set(port, relay)
      return ((await relay).address() as AddressInfo).port
    },
    /** Drops every packet from now on; the browsers have to notice that themselves. */
    cutAll(): void {
      isCut = true
    },
    /** Drops every packet on the existing paths, as when a device changes networks; paths found later work. */
    cutCurrentPaths(): void {
      for (const port of relays.keys()) cutPorts.add(port)
    },
    restore(): void {
      isCut = false
    },
    /** Bytes forwarded so far in both directions. */
    forwardedBytes: () => bytes,
    close(): void {
      for (const relay of relays.values()) void relay.then((socket) => socket.close())
    },
  }
}

export type UdpRelays = ReturnType<typeof createUdpRelays>

/** Runs in the page before its scripts: replaces the ICE candidates of the peer with the relay. */
export function routeThroughRelay(): void {
  const { prototype } = RTCPeerConnection
  const original = prototype.addIceCandidate as (
    this: RTCPeerConnection,
    candidate: RTCIceCandidateInit,
  ) => Promise<void>
  prototype.addIceCandidate = async function (candidate?: RTCIceCandidateInit | null) {
    const fields = candidate?.candidate?.split(' ') ?? []
    if (!candidate || fields[2]?.toLowerCase() !== 'udp') return
    fields[5] = String(await window.portOnTheWay(Number(fields[5])))
    fields[4] = '127.0.0.1'
    const { sdpMid, sdpMLineIndex } = candidate
    await original.call(this, { sdpMid, sdpMLineIndex, candidate: fields.join(' ') } as RTCIceCandidateInit)
  }
}

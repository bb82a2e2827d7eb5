import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

declare global {
  interface Window {
    portOnTheWay(port: number): Promise<number>
  }
}

/** Sends a packet on, now or later. `port` is where it goes. */
export type Carry = (port: number, send: () => void) => void

/** Places on this machine that packets between browsers pass on their way. */
export function openWaysAround(carry: Carry = (_, send) => send()) {
  const places = new Map<number, Promise<Socket>>()
  const dead = new Set<number>()
  let isCut = false
  let passed = 0

  /** What comes from the device behind goes to whoever last asked for it, everything else to the device. */
  async function openPlace(port: number): Promise<Socket> {
    const place = createSocket({ type: 'udp4', recvBufferSize: 4_000_000, sendBufferSize: 4_000_000 })
    let caller = 0
    place.on('message', (packet, from) => {
      if (from.port !== port) caller = from.port
      const to = from.port === port ? caller : port
      if (isCut || to === 0 || dead.has(port)) return
      passed += packet.length
      carry(to, () => place.send(packet, to, '127.0.0.1'))
    })
    place.bind(0, '127.0.0.1')
    await once(place, 'listening')
    return place
  }

  return {
    /** Where packets for the device behind this port are taken. */
    async portOnTheWay(port: number): Promise<number> {
      const place = places.get(port) ?? openPlace(port)
      places.set(port, place)
      return ((await place).address() as AddressInfo).port
    },
    /** Every packet between the browsers is lost from here on; what they think of it is up to them. */
    cut(): void {
      isCut = true
    },
    /** Every packet is lost on the ways there are now, as when a device changes its network; ways found later are open. */
    cutThese(): void {
      for (const port of places.keys()) dead.add(port)
    },
    mend(): void {
      isCut = false
    },
    /** How much has come through so far, both ways. */
    passedBytes: () => passed,
    close(): void {
      for (const place of places.values()) void place.then((socket) => socket.close())
    },
  }
}

export type WaysAround = ReturnType<typeof openWaysAround>

/** Runs in the page before its scripts: of the other device's addresses it learns the one on the way alone. */
export function takeTheWayAround(): void {
  const { prototype } = RTCPeerConnection
  const original = prototype.addIceCandidate as (this: RTCPeerConnection, given: RTCIceCandidateInit) => Promise<void>
  prototype.addIceCandidate = async function (given?: RTCIceCandidateInit | null) {
    const words = given?.candidate?.split(' ') ?? []
    if (!given || words[2]?.toLowerCase() !== 'udp') return
    words[5] = String(await window.portOnTheWay(Number(words[5])))
    words[4] = '127.0.0.1'
    const { sdpMid, sdpMLineIndex } = given
    await original.call(this, { sdpMid, sdpMLineIndex, candidate: words.join(' ') } as RTCIceCandidateInit)
  }
}

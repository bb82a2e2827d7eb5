import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from '@playwright/test'

export interface DirectWays {
  /** Every packet between the browsers is lost from here on; what they think of it is up to them. */
  cut(): void
  mend(): void
  /** How much has come through so far, both ways. */
  passedBytes(): number
  close(): void
}

declare global {
  interface Window {
    portOnTheWay(port: number): Promise<number>
  }
}

/** Puts a place that can be cut in the middle of every direct way between browsers. Goes before their first page. */
export async function watchDirectWays(contexts: readonly BrowserContext[]): Promise<DirectWays> {
  const places = new Map<number, Promise<Socket>>()
  let isCut = false
  let passed = 0

  /** What comes from the device behind goes to whoever last asked for it, everything else to the device. */
  async function openPlace(port: number): Promise<Socket> {
    const place = createSocket({ type: 'udp4', recvBufferSize: 4_000_000, sendBufferSize: 4_000_000 })
    let caller = 0
    place.on('message', (packet, from) => {
      if (from.port !== port) caller = from.port
      const to = from.port === port ? caller : port
      if (isCut || to === 0) return
      passed += packet.length
      place.send(packet, to, '127.0.0.1')
    })
    place.bind(0, '127.0.0.1')
    await once(place, 'listening')
    return place
  }

  async function portOnTheWay(port: number): Promise<number> {
    const place = places.get(port) ?? openPlace(port)
    places.set(port, place)
    return ((await place).address() as AddressInfo).port
  }

  for (const context of contexts) {
    await context.exposeFunction('portOnTheWay', portOnTheWay)
    await context.addInitScript(takeTheWayAround)
  }
  return {
    cut() {
      isCut = true
    },
    mend() {
      isCut = false
    },
    passedBytes: () => passed,
    close() {
      for (const place of places.values()) void place.then((socket) => socket.close())
    },
  }
}

/** Runs in the page: of the other device's addresses it learns the one on the way alone. */
function takeTheWayAround(): void {
  const { prototype } = RTCPeerConnection
  const original = prototype.addIceCandidate as (this: RTCPeerConnection, given: RTCIceCandidateInit) => Promise<void>
  prototype.addIceCandidate = async function (given?: RTCIceCandidateInit | null) {
    const words = given?.candidate?.split(' ') ?? []
    if (words[2]?.toLowerCase() !== 'udp') return
    words[5] = String(await window.portOnTheWay(Number(words[5])))
    words[4] = '127.0.0.1'
    await original.call(this, { ...given, candidate: words.join(' ') })
  }
}

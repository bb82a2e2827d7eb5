import type { Bytes } from '@sallyport/crypto/portal'
import type { Clock } from '../clock.ts'
import type { Channel, Link, PortalSink } from '../portal/channel.ts'

/** Probabilities of message faults, from 0 to 1. */
export interface MessageFaults {
  readonly lost?: number
  readonly repeated?: number
  readonly delayed?: number
  readonly damaged?: number
}

interface LinkPairOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly faults?: MessageFaults
  /** Faults of the main channel, which stays ordered. */
  readonly mainFaults?: MessageFaults
}

/** A seeded random number generator with values in [0, 1). */
export function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const transitMs = 10

/** Two ends of a link that loses, repeats, delays and damages messages at random. */
export function createLinkPair({
  clock,
  random,
  faults = {},
  mainFaults = {},
}: LinkPairOptions): readonly [Link, Link] {
  const lost = new AbortController()
  const pair = (channelFaults: MessageFaults, isOrdered: boolean) =>
    channelPair({ clock, random, faults: channelFaults, isOrdered })
  const [main, control, bulk] = [pair(mainFaults, true), pair({}, true), pair(faults, false)]
  const linkOf = (side: 0 | 1): Link => ({
    main: main[side],
    control: control[side],
    bulk: bulk[side],
    isRelayed: false,
    certificates: side === 0 ? { own: 'left', other: 'right' } : { own: 'right', other: 'left' },
    lost: lost.signal,
    close: () => lost.abort(new Error('link lost')),
  })
  return [linkOf(0), linkOf(1)]
}

interface ChannelOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly faults: MessageFaults
  readonly isOrdered: boolean
}

type MessageHandler = (data: string | Bytes) => void

function channelPair(options: ChannelOptions): readonly [Channel, Channel] {
  const ends = [createEndpoint(), createEndpoint()] as const
  return [createChannel(ends[1], ends[0], options), createChannel(ends[0], ends[1], options)]
}

function createEndpoint() {
  const buffered: (string | Bytes)[] = []
  let handler: MessageHandler | null = null
  return {
    deliver: (data: string | Bytes) => (handler ? handler(data) : void buffered.push(data)),
    onMessage(next: MessageHandler) {
      handler = next
      for (const data of buffered.splice(0)) next(data)
    },
  }
}

type Endpoint = ReturnType<typeof createEndpoint>

function createChannel(far: Endpoint, near: Endpoint, { clock, random, faults, isOrdered }: ChannelOptions): Channel {
  let last: Promise<void> = Promise.resolve()
  const deliver = (data: string | Bytes, delayMs: number) => {
    const arrival = clock.wait(delayMs)
    const before = last
    const delivered = isOrdered ? Promise.all([before, arrival]).then(() => undefined) : arrival
    last = delivered
    delivered.then(() => far.deliver(data)).catch(() => undefined)
  }
  return {
    send(data) {
      const draw = () => random()
      if (draw() < (faults.lost ?? 0)) return
      const damaged = draw() < (faults.damaged ?? 0) && typeof data !== 'string' ? flipBit(data, random) : data
      const delayMs = draw() < (faults.delayed ?? 0) ? Math.floor(random() * 4000) : 0
      deliver(damaged, transitMs + delayMs)
      if (draw() < (faults.repeated ?? 0)) deliver(damaged, transitMs + Math.floor(random() * 50))
    },
    bufferedBytes: () => 0,
    drained: async () => undefined,
    onMessage: near.onMessage,
  }
}

function flipBit(bytes: Bytes, random: () => number): Bytes {
  const copy = bytes.slice()
  const index = Math.floor(random() * copy.length)
  copy[index] = (copy[index] ?? 0) ^ (1 << Math.floor(random() * 8))
  return copy
}

/** A sink that stores the bytes in memory and records whether it was finished or discarded. */
export function memorySink() {
  const state = { bytes: new Uint8Array(0), isFinished: false, isDiscarded: false }
  const sink: PortalSink = {
    async write(bytes, position) {
      const end = position + bytes.length
      if (end > state.bytes.length) {
        const longer = new Uint8Array(end)
        longer.set(state.bytes)
        state.bytes = longer
      }
      state.bytes.set(bytes, position)
    },
    async finish() {
      state.isFinished = true
    },
    async discard() {
      state.isDiscarded = true
    },
  }
  return { state, sink }
}

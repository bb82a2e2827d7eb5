import type { Bytes } from '@sallyport/crypto/portal'
import type { Clock } from '../clock.ts'
import type { Channel, Link, PortalSink } from '../portal/channel.ts'

/** Shares of messages, from 0 to 1, that something happens to. */
export interface Faults {
  readonly lost?: number
  readonly repeated?: number
  readonly delayed?: number
  readonly damaged?: number
}

interface Options {
  readonly clock: Clock
  readonly random: () => number
  readonly faults?: Faults
  /** What happens to the one ordered channel of the basic protocol; it never overtakes. */
  readonly mainFaults?: Faults
}

/** Numbers from 0 up to 1 that are the same for the same seed. */
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

/** Two ends of a link on which messages get lost, come twice, late or damaged, as a seed has it. */
export function createLinkPair({ clock, random, faults = {}, mainFaults = {} }: Options): readonly [Link, Link] {
  const lost = new AbortController()
  const pair = (trouble: Faults, isOrdered: boolean) => channelPair({ clock, random, faults: trouble, isOrdered })
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

interface Wire {
  readonly clock: Clock
  readonly random: () => number
  readonly faults: Faults
  readonly isOrdered: boolean
}

type Hear = (data: string | Bytes) => void

function channelPair(wire: Wire): readonly [Channel, Channel] {
  const ends = [createEnd(), createEnd()] as const
  return [channelTo(ends[1], ends[0], wire), channelTo(ends[0], ends[1], wire)]
}

function createEnd() {
  const kept: (string | Bytes)[] = []
  let hear: Hear | null = null
  return {
    arrive: (data: string | Bytes) => (hear ? hear(data) : void kept.push(data)),
    listen(next: Hear) {
      hear = next
      for (const data of kept.splice(0)) next(data)
    },
  }
}

type End = ReturnType<typeof createEnd>

function channelTo(far: End, near: End, { clock, random, faults, isOrdered }: Wire): Channel {
  let last: Promise<void> = Promise.resolve()
  const deliver = (data: string | Bytes, after: number) => {
    const arrival = clock.wait(after)
    const before = last
    const moment = isOrdered ? Promise.all([before, arrival]).then(() => undefined) : arrival
    last = moment
    moment.then(() => far.arrive(data)).catch(() => undefined)
  }
  return {
    send(data) {
      const fate = () => random()
      if (fate() < (faults.lost ?? 0)) return
      const damaged = fate() < (faults.damaged ?? 0) && typeof data !== 'string' ? flipped(data, random) : data
      const late = fate() < (faults.delayed ?? 0) ? Math.floor(random() * 4000) : 0
      deliver(damaged, transitMs + late)
      if (fate() < (faults.repeated ?? 0)) deliver(damaged, transitMs + Math.floor(random() * 50))
    },
    bufferedBytes: () => 0,
    drained: async () => undefined,
    listen: near.listen,
  }
}

function flipped(bytes: Bytes, random: () => number): Bytes {
  const copy = bytes.slice()
  const place = Math.floor(random() * copy.length)
  copy[place] = (copy[place] ?? 0) ^ (1 << Math.floor(random() * 8))
  return copy
}

/** Keeps what arrives in memory, and whether it was handed over. */
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

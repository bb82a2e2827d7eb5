import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import { type BytePace, createBytePace, createPacedSender } from '../resources/byte-pace.ts'
import {
  type Relay,
  type RelayConnection,
  type RelayParts,
  type RelayPayer,
  type RelayPlace,
  sharesOf,
} from './relay.ts'

/** A device of a pair, held to the pace of the room. */
interface Member extends RelayConnection {
  readonly paced: ReturnType<typeof createPacedSender>
}

interface Pair {
  readonly sockets: Member[]
  readonly address: string
  readonly payer: RelayPayer
  readonly pace: BytePace
  readonly until: number
  carried: number
}

const limits = portalLimits.relay
const day = 24 * 3_600_000

/** The relay of one process, where both devices of a pair are at it. */
export function createLocalRelay({ now, bytesPerRoom, bytesPerDay, bytesPerSecond, onCarried }: RelayParts): Relay {
  const pairs = new Map<string, Pair>()
  const waiting = new Map<string, RelayPlace>()
  let today = aDay(now())

  /** Whether so many bytes may still be carried in this day. */
  const hasLeft = (payer: RelayPayer, bytes: number): boolean =>
    sharesOf(payer, bytesPerDay).every(({ key, most }) => (today.carried.get(key) ?? 0) + bytes <= most)

  /** False once the room, its payer or the day has had its share. */
  function count(pair: Pair, bytes: number): boolean {
    const { payer } = pair
    if (now() - today.from >= day) today = aDay(now())
    pair.carried += bytes
    for (const { key } of sharesOf(payer, bytesPerDay)) today.carried.set(key, (today.carried.get(key) ?? 0) + bytes)
    const isAllowed = pair.carried <= bytesPerRoom && hasLeft(payer, 0)
    if (isAllowed) onCarried(bytes)
    return isAllowed
  }

  /** Forgets places that nobody took in time. */
  function forgetUnused(): void {
    for (const [token, { until }] of waiting) if (until <= now()) waiting.delete(token)
    for (const [id, { until, sockets }] of pairs) if (until <= now() && sockets.length === 0) pairs.delete(id)
  }

  function end(pair: Pair, code: number, reason: string): void {
    for (const { socket } of pair.sockets) socket.close(code, reason)
  }

  function carry(pair: Pair, from: Member, data: Buffer, isBinary: boolean): void {
    const to = otherOf(pair, from)
    if (!count(pair, data.length)) {
      end(pair, 1008, 'used up')
      return
    }
    if (!to) return
    from.paced.count(data.length)
    to.queue.send(data, { binary: isBinary, onFlushed: () => paceReading(pair, from) })
    paceReading(pair, from)
  }

  /** A sender is paused while the other side does not take what is there, and to keep the pace of the room. */
  function paceReading(pair: Pair, from: Member): void {
    const waitingBytes = otherOf(pair, from)?.queue.queuedBytes() ?? 0
    if (from.paced.isWaiting() || waitingBytes > limits.waitingBytes) from.socket.pause()
    else from.socket.resume()
  }

  return {
    async reserve(address, payer) {
      forgetUnused()
      if (now() - today.from >= day) today = aDay(now())
      const held = [...pairs.values()].filter((pair) => pair.address === address)
      if (held.length >= limits.openPerAddress || !hasLeft(payer, 1)) return null
      const [pair, until] = [aToken(), now() + limits.unpairedMs]
      const pace = createBytePace(bytesPerSecond)
      pairs.set(pair, { sockets: [], address, payer, pace, until, carried: 0 })
      const tokens = { creator: aToken(), joiner: aToken() }
      for (const side of ['creator', 'joiner'] as const)
        waiting.set(tokens[side], { pair, side, address, payer, until })
      return tokens
    },
    async redeem(token) {
      const place = waiting.get(token)
      waiting.delete(token)
      return place && place.until > now() ? place : null
    },
    connect(place, connection) {
      const { socket } = connection
      const pair = pairs.get(place.pair)
      if (!pair) return socket.close(1001, 'the other side has gone')
      const member: Member = { ...connection, paced: createPacedSender(pair.pace, () => paceReading(pair, member)) }
      pair.sockets.push(member)
      if (pair.sockets.length === 1) socket.pause()
      else for (const one of pair.sockets) one.socket.resume()
      socket.on('message', (data, isBinary) => carry(pair, member, data as Buffer, isBinary))
      socket.on('close', () => {
        pairs.delete(place.pair)
        end(pair, 1000, 'the other side has gone')
      })
    },
    job: {
      name: 'halves of relayed pairs',
      everyMs: portalLimits.sweepEveryMs,
      async run(): Promise<void> {
        forgetUnused()
        for (const pair of pairs.values()) {
          if (pair.sockets.length === 1 && pair.until <= now()) end(pair, 1001, 'nobody came')
        }
      },
    },
  }
}

const otherOf = ({ sockets }: Pair, from: Member): Member | undefined => sockets.find((one) => one !== from)

/** What was carried since the day began, under each count. */
const aDay = (from: number) => ({ from, carried: new Map<string, number>() })

const aToken = (): string => randomBytes(32).toString('base64url')

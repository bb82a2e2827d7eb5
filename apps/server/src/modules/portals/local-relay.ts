import { portalLimits } from '@sallyport/contract/limits'
import { type BytePace, createBytePace, createPacedSender } from '../../platform/rate-limit/byte-pace.ts'
import {
  createToken,
  day,
  dayQuotasOf,
  type Relay,
  type RelayConnection,
  type RelayOptions,
  type RelayPayer,
  type RelayTicket,
} from './relay.ts'

/** A device of a pair, throttled to the rate of the room. */
interface RelayPeer extends RelayConnection {
  readonly throttle: ReturnType<typeof createPacedSender>
}

interface RelayPair {
  readonly sockets: RelayPeer[]
  readonly address: string
  readonly payer: RelayPayer
  readonly pace: BytePace
  readonly until: number
  relayedBytes: number
}

const limits = portalLimits.relay

/** The relay of one process, for pairs whose devices are both connected to it. */
export function createLocalRelay({ now, bytesPerRoom, bytesPerDay, bytesPerSecond, onRelayed }: RelayOptions): Relay {
  const pairs = new Map<string, RelayPair>()
  const tickets = new Map<string, RelayTicket>()
  let dayCounts = createDayCounts(now())

  /** Whether this many more bytes may be relayed today. */
  const hasQuota = (payer: RelayPayer, bytes: number): boolean =>
    dayQuotasOf(payer, bytesPerDay).every(
      ({ key, maxBytes }) => (dayCounts.relayedBytes.get(key) ?? 0) + bytes <= maxBytes,
    )

  /** Counts bytes; false once the room, its payer or the day has used up its quota. */
  function count(pair: RelayPair, bytes: number): boolean {
    const { payer } = pair
    if (now() - dayCounts.from >= day) dayCounts = createDayCounts(now())
    pair.relayedBytes += bytes
    for (const { key } of dayQuotasOf(payer, bytesPerDay))
      dayCounts.relayedBytes.set(key, (dayCounts.relayedBytes.get(key) ?? 0) + bytes)
    const isAllowed = pair.relayedBytes <= bytesPerRoom && hasQuota(payer, 0)
    if (isAllowed) onRelayed(bytes)
    return isAllowed
  }

  /** Deletes tickets that were not redeemed in time. */
  function deleteExpired(): void {
    for (const [token, { until }] of tickets) if (until <= now()) tickets.delete(token)
    for (const [id, { until, sockets }] of pairs) if (until <= now() && sockets.length === 0) pairs.delete(id)
  }

  function closePair(pair: RelayPair, code: number, reason: string): void {
    for (const { socket } of pair.sockets) {
      // A paused socket emits no 'close'.
      socket.resume()
      socket.close(code, reason)
    }
  }

  function relayFrame(pair: RelayPair, sender: RelayPeer, data: Buffer, isBinary: boolean): void {
    const receiver = otherOf(pair, sender)
    if (!count(pair, data.length)) {
      closePair(pair, 1008, 'quota exceeded')
      return
    }
    if (!receiver) return
    sender.throttle.count(data.length)
    receiver.queue.send(data, { binary: isBinary, onFlushed: () => updateBackpressure(pair, sender) })
    updateBackpressure(pair, sender)
  }

  /** Pauses a sender while the other device does not read, and to keep the rate of the room. */
  function updateBackpressure(pair: RelayPair, sender: RelayPeer): void {
    // Unread frames would delay the end of a closing socket.
    if (sender.socket.readyState !== sender.socket.OPEN) return
    const waitingBytes = otherOf(pair, sender)?.queue.queuedBytes() ?? 0
    if (sender.throttle.isWaiting() || waitingBytes > limits.maxBufferedBytes) sender.socket.pause()
    else sender.socket.resume()
  }

  return {
    async reserve(address, payer) {
      deleteExpired()
      if (now() - dayCounts.from >= day) dayCounts = createDayCounts(now())
      const open = [...pairs.values()].filter((pair) => pair.address === address)
      if (open.length >= limits.openPerAddress || !hasQuota(payer, 1)) return null
      const [pair, until] = [createToken(), now() + limits.unpairedMs]
      const pace = createBytePace(bytesPerSecond)
      pairs.set(pair, { sockets: [], address, payer, pace, until, relayedBytes: 0 })
      const tokens = { creator: createToken(), joiner: createToken() }
      for (const side of ['creator', 'joiner'] as const)
        tickets.set(tokens[side], { pair, side, address, payer, until })
      return tokens
    },
    async redeem(token) {
      const ticket = tickets.get(token)
      tickets.delete(token)
      return ticket && ticket.until > now() ? ticket : null
    },
    connect(ticket, connection) {
      const { socket } = connection
      const pair = pairs.get(ticket.pair)
      if (!pair) return socket.close(1001, 'peer disconnected')
      const peer: RelayPeer = {
        ...connection,
        throttle: createPacedSender(pair.pace, () => updateBackpressure(pair, peer)),
      }
      pair.sockets.push(peer)
      if (pair.sockets.length === 1) socket.pause()
      else for (const one of pair.sockets) one.socket.resume()
      socket.on('message', (data, isBinary) => relayFrame(pair, peer, data as Buffer, isBinary))
      socket.on('close', () => {
        pairs.delete(ticket.pair)
        closePair(pair, 1000, 'peer disconnected')
      })
    },
    job: {
      name: 'relay pair sweep',
      everyMs: portalLimits.sweepEveryMs,
      async run(): Promise<void> {
        deleteExpired()
        for (const pair of pairs.values()) {
          if (pair.sockets.length === 1 && pair.until <= now()) closePair(pair, 1001, 'peer did not connect')
        }
      },
    },
  }
}

const otherOf = ({ sockets }: RelayPair, from: RelayPeer): RelayPeer | undefined => sockets.find((one) => one !== from)

/** The bytes relayed since the start of the day, per quota. */
const createDayCounts = (from: number) => ({ from, relayedBytes: new Map<string, number>() })

import { randomBytes } from 'node:crypto'
import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import { createBytePace } from '../../platform/rate-limit/byte-pace.ts'
import { prefix } from '../../platform/redis/prefix.ts'
import type { SharedRedis } from '../../platform/redis/redis.ts'
import { hashToken } from '../../token-hash.ts'
import {
  createToken,
  day,
  dayQuotasOf,
  type Relay,
  type RelayOptions,
  type RelayPayer,
  type RelayTicket,
} from './relay.ts'
import { createRelayEnd, type RelayEnd } from './relay-end.ts'
import { countFrame, reservePair } from './relay-scripts.ts'

interface RedisRelayDeps extends RelayOptions {
  readonly redis: SharedRedis
  /** The id of this process, and the ids of all live nodes. */
  readonly node: string
  readonly nodes: () => Promise<ReadonlySet<string>>
}

const limits = portalLimits.relay
/** A pair that no node renews counts for its address no longer than this. */
const pairLeaseMs = 4 * portalLimits.sweepEveryMs

const pairsOf = (address: string): string => `portal:relay-pairs:${address}`
const inboxOf = ({ pair, side }: Pick<RelayTicket, 'pair' | 'side'>): string => `portal:relay:${pair}:${side}`
const otherEnd = ({ pair, side }: RelayTicket) => ({ pair, side: side === 'creator' ? 'joiner' : 'creator' }) as const
const ticketKey = (token: string): string => `portal:relay-place:${hashToken(token)}`

/**
 * The relay for pairs whose devices may be connected to different nodes. Frames go over Redis, which stores none of
 * them, and a node reads at most a fixed number of bytes ahead of what the other node has forwarded.
 */
export function createRedisRelay(deps: RedisRelayDeps): Relay {
  const { redis, node, nodes, now, bytesPerRoom, bytesPerDay, bytesPerSecond, onRelayed } = deps
  const openEnds = new Map<string, { readonly ticket: RelayTicket; readonly end: RelayEnd }>()
  const today = (): number => Math.floor(now() / day)

  /** The counters of a payer's bytes today, and the maximum of each. */
  function countersOf(payer: RelayPayer) {
    const shares = dayQuotasOf(payer, bytesPerDay)
    return {
      keys: shares.map(({ key }) => `portal:relay-day:${today()}:${key}`),
      most: shares.map(({ maxBytes }) => maxBytes),
    }
  }

  const runScript = (script: string, keys: readonly string[], args: readonly (string | number | Buffer)[]) =>
    redis.run((commands) => commands.eval(script, keys.length, ...keys, ...args))

  /** Sends to the other end of a pair, without Redis when that is at this node. */
  async function sendToPeer(ticket: RelayTicket, content: Buffer): Promise<void> {
    const channel = inboxOf(otherEnd(ticket))
    const localEnd = openEnds.get(channel)
    if (localEnd) localEnd.end.handle(content)
    else await redis.publish(channel, content)
  }

  /** Relays a frame; false once the pair or the day has used up its quota. */
  async function relayFrame(ticket: RelayTicket, bytes: number, frame: Buffer): Promise<boolean> {
    const channel = inboxOf(otherEnd(ticket))
    const counters = countersOf(ticket.payer)
    const keys = [`portal:relay-bytes:${ticket.pair}`, ...counters.keys]
    const most = [bytesPerRoom, ...counters.most]
    onRelayed(bytes)
    if (!openEnds.has(channel))
      return (await runScript(countFrame, keys, [bytes, frame, prefix + channel, ...most])) === 1
    if ((await runScript(countFrame, keys, [bytes, '', '', ...most])) !== 1) return false
    openEnds.get(channel)?.end.handle(frame)
    return true
  }

  redis.onResubscribed(() => {
    for (const { end } of [...openEnds.values()]) end.close(1012, 'frames were lost')
  })

  return {
    async reserve(address, payer) {
      const [creator, joiner] = [createToken(), createToken()]
      const pair = randomBytes(12).toString('base64url')
      const until = now() + limits.unpairedMs
      const serializeTicket = (side: RelayTicket['side']) =>
        JSON.stringify({ pair, side, address, payer, until } satisfies RelayTicket)
      const counters = countersOf(payer)
      const keys = [pairsOf(address), ticketKey(creator), ticketKey(joiner), ...counters.keys]
      const bounds = [limits.openPerAddress, limits.unpairedMs]
      const tickets = [serializeTicket('creator'), serializeTicket('joiner')]
      const isReserved = await runScript(reservePair, keys, [
        pair,
        now(),
        until,
        ...bounds,
        ...tickets,
        ...counters.most,
      ])
      return isReserved === 1 ? { creator, joiner } : null
    },
    async redeem(token) {
      const serialized = await redis.run((commands) => commands.getdel(ticketKey(token)))
      const ticket = serialized === null ? null : (JSON.parse(serialized) as RelayTicket)
      return ticket && ticket.until > now() ? ticket : null
    },
    connect(ticket, { socket, queue }) {
      const inbox = inboxOf(ticket)
      const end = createRelayEnd({
        socket,
        send: queue.send,
        // Each end reads from its own device only, so it gets half of the rate.
        pace: createBytePace(bytesPerSecond / 2),
        node,
        sendToPeer: (content) => sendToPeer(ticket, content),
        relayFrame: (bytes, frame) => relayFrame(ticket, bytes, frame),
      })
      openEnds.set(inbox, { ticket, end })
      const subscription = redis.subscribe(inbox, end.handle)
      subscription.then(end.sendHello).catch(() => end.close(1011, 'relay failed'))
      socket.once('close', () => {
        openEnds.delete(inbox)
        subscription.then((stop) => stop()).catch((error) => ignore(error, 'Redis is unavailable'))
        if (openEnds.has(inboxOf(otherEnd(ticket)))) return
        redis
          .run((commands) => commands.zrem(pairsOf(ticket.address), ticket.pair))
          .catch((error) => ignore(error, 'the lease of the pair expires'))
      })
    },
    job: {
      name: 'relay pair sweep',
      everyMs: portalLimits.sweepEveryMs,
      async run(): Promise<void> {
        if (openEnds.size === 0) return
        const liveNodes = await nodes()
        for (const { ticket, end } of openEnds.values()) {
          const peerNode = end.peerNode()
          if (peerNode === null && ticket.until <= now()) end.close(1001, 'peer did not connect')
          else if (peerNode !== null && !liveNodes.has(peerNode)) end.close(1001, 'peer disconnected')
          else {
            await redis.run((commands) => commands.zadd(pairsOf(ticket.address), now() + pairLeaseMs, ticket.pair))
          }
        }
      },
    },
  }
}

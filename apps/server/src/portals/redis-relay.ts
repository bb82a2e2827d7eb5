import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import { prefix } from '../redis/prefix.ts'
import type { SharedRedis } from '../redis/redis.ts'
import { createBytePace } from '../resources/byte-pace.ts'
import { hashOfToken } from '../token-hash.ts'
import { type Relay, type RelayParts, type RelayPayer, type RelayPlace, sharesOf } from './relay.ts'
import { createRelayEnd, type RelayEnd } from './relay-end.ts'
import { carryFrame, reservePair } from './relay-scripts.ts'

interface Parts extends RelayParts {
  readonly redis: SharedRedis
  /** This process, and whether the others are there. */
  readonly node: string
  readonly nodes: () => Promise<ReadonlySet<string>>
}

const limits = portalLimits.relay
const day = 24 * 3_600_000
/** A pair that no node looks after any more counts for its address no longer than this. */
const lookedAfterMs = 4 * portalLimits.sweepEveryMs

const pairsOf = (address: string): string => `portal:relay-pairs:${address}`
const inboxOf = ({ pair, side }: Pick<RelayPlace, 'pair' | 'side'>): string => `portal:relay:${pair}:${side}`
const other = ({ pair, side }: RelayPlace) => ({ pair, side: side === 'creator' ? 'joiner' : 'creator' }) as const
const placeKey = (token: string): string => `portal:relay-place:${hashOfToken(token)}`

/**
 * The relay where the two devices of a pair may be at different nodes. Frames go over Redis, which keeps none of them,
 * and a node takes from a device no more than the other node has handed on but for a fixed number of bytes.
 */
export function createRedisRelay(parts: Parts): Relay {
  const { redis, node, nodes, now, bytesPerRoom, bytesPerDay, bytesPerSecond, onCarried } = parts
  const open = new Map<string, { readonly place: RelayPlace; readonly end: RelayEnd }>()
  const today = (): number => Math.floor(now() / day)

  /** Where the bytes of a payer are counted in this day, and the most of each count. */
  function countsOf(payer: RelayPayer) {
    const shares = sharesOf(payer, bytesPerDay)
    return { keys: shares.map(({ key }) => `portal:relay-day:${today()}:${key}`), most: shares.map(({ most }) => most) }
  }

  const run = (script: string, keys: readonly string[], args: readonly (string | number | Buffer)[]) =>
    redis.ask((commands) => commands.eval(script, keys.length, ...keys, ...args))

  /** Says something to the other end of a pair, past Redis where that is at this node. */
  async function say(place: RelayPlace, content: Buffer): Promise<void> {
    const channel = inboxOf(other(place))
    const here = open.get(channel)
    if (here) here.end.hear(content)
    else await redis.say(channel, content)
  }

  /** False once the pair or the day has had its share. */
  async function carry(place: RelayPlace, bytes: number, frame: Buffer): Promise<boolean> {
    const channel = inboxOf(other(place))
    const counts = countsOf(place.payer)
    const keys = [`portal:relay-bytes:${place.pair}`, ...counts.keys]
    const most = [bytesPerRoom, ...counts.most]
    onCarried(bytes)
    if (!open.has(channel)) return (await run(carryFrame, keys, [bytes, frame, prefix + channel, ...most])) === 1
    if ((await run(carryFrame, keys, [bytes, '', '', ...most])) !== 1) return false
    open.get(channel)?.end.hear(frame)
    return true
  }

  redis.onHearingAgain(() => {
    for (const { end } of [...open.values()]) end.close(1012, 'frames were lost')
  })

  return {
    async reserve(address, payer) {
      const [creator, joiner] = [aToken(), aToken()]
      const pair = randomBytes(12).toString('base64url')
      const until = now() + limits.unpairedMs
      const lying = (side: RelayPlace['side']) =>
        JSON.stringify({ pair, side, address, payer, until } satisfies RelayPlace)
      const counts = countsOf(payer)
      const keys = [pairsOf(address), placeKey(creator), placeKey(joiner), ...counts.keys]
      const bounds = [limits.openPerAddress, limits.unpairedMs]
      const places = [lying('creator'), lying('joiner')]
      const isReserved = await run(reservePair, keys, [pair, now(), until, ...bounds, ...places, ...counts.most])
      return isReserved === 1 ? { creator, joiner } : null
    },
    async redeem(token) {
      const lying = await redis.ask((commands) => commands.getdel(placeKey(token)))
      const place = lying === null ? null : (JSON.parse(lying) as RelayPlace)
      return place && place.until > now() ? place : null
    },
    connect(place, { socket, queue }) {
      const inbox = inboxOf(place)
      const end = createRelayEnd({
        socket,
        send: queue.send,
        // Each end takes from its own device alone.
        pace: createBytePace(bytesPerSecond / 2),
        node,
        say: (content) => say(place, content),
        carry: (bytes, frame) => carry(place, bytes, frame),
      })
      open.set(inbox, { place, end })
      const following = redis.follow(inbox, end.hear)
      following.then(end.greet).catch(() => end.close(1011, 'not carried'))
      socket.once('close', () => {
        open.delete(inbox)
        following.then((stop) => stop()).catch(() => undefined)
        if (open.has(inboxOf(other(place)))) return
        redis.ask((commands) => commands.zrem(pairsOf(place.address), place.pair)).catch(() => undefined)
      })
    },
    job: {
      name: 'halves of relayed pairs',
      everyMs: portalLimits.sweepEveryMs,
      async run(): Promise<void> {
        if (open.size === 0) return
        const there = await nodes()
        for (const { place, end } of open.values()) {
          const across = end.across()
          if (across === null && place.until <= now()) end.close(1001, 'nobody came')
          else if (across !== null && !there.has(across)) end.close(1001, 'the other side has gone')
          else {
            await redis.ask((commands) => commands.zadd(pairsOf(place.address), now() + lookedAfterMs, place.pair))
          }
        }
      },
    },
  }
}

const aToken = (): string => randomBytes(32).toString('base64url')

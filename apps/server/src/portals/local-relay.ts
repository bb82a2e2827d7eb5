import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'
import type { Relay, RelayParts, RelayPlace } from './relay.ts'

interface Pair {
  readonly sockets: WebSocket[]
  readonly address: string
  readonly until: number
  carried: number
}

const limits = portalLimits.relay
const day = 24 * 3_600_000

/** The relay of one process, where both devices of a pair are at it. */
export function createLocalRelay({ now, bytesPerRoom, bytesPerDay }: RelayParts): Relay {
  const pairs = new Map<string, Pair>()
  const waiting = new Map<string, RelayPlace>()
  let today = { from: now(), carried: 0 }

  /** False once the room or the day has had its share. */
  function count(pair: Pair, bytes: number): boolean {
    if (now() - today.from >= day) today = { from: now(), carried: 0 }
    pair.carried += bytes
    today.carried += bytes
    return pair.carried <= bytesPerRoom && today.carried <= bytesPerDay
  }

  /** Forgets places that nobody took in time. */
  function forgetUnused(): void {
    for (const [token, { until }] of waiting) if (until <= now()) waiting.delete(token)
    for (const [id, { until, sockets }] of pairs) if (until <= now() && sockets.length === 0) pairs.delete(id)
  }

  function end(pair: Pair, code: number, reason: string): void {
    for (const socket of pair.sockets) socket.close(code, reason)
  }

  function carry(pair: Pair, from: WebSocket, data: Buffer, isBinary: boolean): void {
    const to = pair.sockets.find((socket) => socket !== from)
    if (!count(pair, data.length)) end(pair, 1008, 'used up')
    else if (to) send(from, to, data, isBinary)
  }

  /** Whoever sends is made to wait while the other side does not take what is there. */
  function send(from: WebSocket, to: WebSocket, data: Buffer, isBinary: boolean): void {
    to.send(data, { binary: isBinary, compress: false }, () => {
      if (to.bufferedAmount <= limits.waitingBytes) from.resume()
    })
    if (to.bufferedAmount > limits.waitingBytes) from.pause()
  }

  return {
    async reserve(address) {
      forgetUnused()
      const held = [...pairs.values()].filter((pair) => pair.address === address)
      if (held.length >= limits.openPerAddress || today.carried >= bytesPerDay) return null
      const [pair, until] = [aToken(), now() + limits.unpairedMs]
      pairs.set(pair, { sockets: [], address, until, carried: 0 })
      const tokens = { creator: aToken(), joiner: aToken() }
      for (const side of ['creator', 'joiner'] as const) waiting.set(tokens[side], { pair, side, address, until })
      return tokens
    },
    async redeem(token) {
      const place = waiting.get(token)
      waiting.delete(token)
      return place && place.until > now() ? place : null
    },
    connect(place, socket) {
      const pair = pairs.get(place.pair)
      if (!pair) return socket.close(1001, 'the other side has gone')
      pair.sockets.push(socket)
      if (pair.sockets.length === 1) socket.pause()
      else for (const one of pair.sockets) one.resume()
      socket.on('message', (data, isBinary) => carry(pair, socket, data as Buffer, isBinary))
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

const aToken = (): string => randomBytes(32).toString('base64url')

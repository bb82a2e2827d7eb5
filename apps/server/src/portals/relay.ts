import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'

interface Parts {
  readonly now: () => number
  readonly bytesPerRoom: number
  readonly bytesPerDay: number
}

interface Pair {
  readonly sockets: WebSocket[]
  readonly address: string
  readonly until: number
  carried: number
}

const limits = portalLimits.relay
const day = 24 * 3_600_000

/** Carries frames between the two devices of a room as they are: it stores none, and can open none. */
export function createRelay({ now, bytesPerRoom, bytesPerDay }: Parts) {
  const waiting = new Map<string, Pair>()
  const open = new Set<Pair>()
  let today = { from: now(), carried: 0 }

  /** False once the room or the day has had its share. */
  function count(pair: Pair, bytes: number): boolean {
    if (now() - today.from >= day) today = { from: now(), carried: 0 }
    pair.carried += bytes
    today.carried += bytes
    return pair.carried <= bytesPerRoom && today.carried <= bytesPerDay
  }

  function end(pair: Pair, code: number, reason: string): void {
    open.delete(pair)
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
    /** A place for each of two devices, or null while this address has as many as it may. */
    reserve(address: string): { readonly creator: string; readonly joiner: string } | null {
      for (const [token, { until, sockets }] of waiting) {
        if (until <= now() && sockets.length === 0) waiting.delete(token)
      }
      const held = new Set([...waiting.values(), ...open].filter((pair) => pair.address === address))
      if (held.size >= limits.openPerAddress || today.carried >= bytesPerDay) return null
      const pair: Pair = { sockets: [], address, until: now() + limits.unpairedMs, carried: 0 }
      const tokens = { creator: aToken(), joiner: aToken() }
      waiting.set(tokens.creator, pair).set(tokens.joiner, pair)
      return tokens
    },
    /** Takes a token once; null when it was made for nobody, or too long ago. */
    redeem(token: string): Pair | null {
      const pair = waiting.get(token)
      waiting.delete(token)
      return pair && pair.until > now() ? pair : null
    },
    /** Joins a socket to its pair; frames that come before the other one is there are held back in its own line. */
    connect(pair: Pair, socket: WebSocket): void {
      pair.sockets.push(socket)
      open.add(pair)
      if (pair.sockets.length === 1) socket.pause()
      else for (const one of pair.sockets) one.resume()
      socket.on('message', (data, isBinary) => carry(pair, socket, data as Buffer, isBinary))
      socket.on('close', () => end(pair, 1000, 'the other side has gone'))
    },
    /** Ends pairs of which one never came. */
    job: {
      name: 'halves of relayed pairs',
      everyMs: portalLimits.sweepEveryMs,
      async run(): Promise<void> {
        for (const pair of open) if (pair.sockets.length === 1 && pair.until <= now()) end(pair, 1001, 'nobody came')
      },
    },
  }
}

export type Relay = ReturnType<typeof createRelay>

const aToken = (): string => randomBytes(32).toString('base64url')

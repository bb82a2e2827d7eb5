import { LiveEvent, live, livePath } from '@sallyport/contract/live'
import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { ApiError } from './errors.ts'

interface LiveParts {
  /** A ticket for the next socket. */
  readonly askTicket: (signal: AbortSignal) => Promise<string>
  /** Origin of the server, such as `https://files.example.org`. */
  readonly origin: string
  readonly clock?: Clock
  readonly openSocket?: (url: string) => WebSocket
  /** From 0 up to 1. */
  readonly random?: () => number
}

export interface LiveChannel {
  /** Gives the function that ends the subscription. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /** Whether the server has said anything within so many milliseconds: then there is no need to ask. */
  heardWithin(milliseconds: number): boolean
  close(): void
}

const shortestPauseMs = 1000
const longestPauseMs = 30_000

/**
 * Keeps one socket to the server open and passes on what it tells. After every connection there is a `ready`: whoever
 * keeps a list fetches it anew then, for what happened in between was missed. Gives up only when the server
 * says that what it tells of is over.
 */
export function openLiveChannel(parts: LiveParts): LiveChannel {
  const { clock = systemClock, random = Math.random } = parts
  const listeners = new Set<(event: LiveEvent) => void>()
  const closing = new AbortController()
  let heardAt = Number.NEGATIVE_INFINITY

  function hear(event: LiveEvent): void {
    heardAt = clock.now()
    if (event.type === 'account.revoked' || event.type === 'session.closed') closing.abort()
    for (const listener of [...listeners]) listener(event)
  }

  async function keepOpen(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      const connection = await connectOnce(parts, hear, closing.signal)
      if (connection === 'refused') return
      failures = connection === 'had-opened' ? 0 : failures + 1
      await clock.wait(pauseAfter(failures, random), closing.signal)
    }
  }
  keepOpen().catch(() => undefined)

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    heardWithin: (milliseconds) => clock.now() - heardAt <= milliseconds,
    close: () => closing.abort(),
  }
}

/** Spread out, so that a server that comes back is not met by everybody in the same second. */
function pauseAfter(failures: number, random: () => number): number {
  const most = Math.min(longestPauseMs, shortestPauseMs * 2 ** (failures + 1))
  return shortestPauseMs + random() * (most - shortestPauseMs)
}

type Connection = 'had-opened' | 'never-opened' | 'refused'

async function connectOnce(
  { askTicket, origin, openSocket = (url) => new WebSocket(url) }: LiveParts,
  hear: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<Connection> {
  try {
    const ticket = await askTicket(signal)
    const url = new URL(livePath, origin)
    url.protocol = url.protocol.replace('http', 'ws')
    url.searchParams.set('ticket', ticket)
    return await listen(openSocket(url.href), hear, signal)
  } catch (error) {
    return error instanceof ApiError && endings.has(error.status) ? 'refused' : 'never-opened'
  }
}

/** The sign-in is over, or the session. */
const endings = new Set([401, 404])

/** Tickets for what happens to the caller's own account. */
export const accountTickets =
  (call: Call) =>
  async (signal: AbortSignal): Promise<string> =>
    (await call(live.ticket, { body: { purpose: 'live' } }, { signal })).ticket

/** Settles when the socket is closed, whoever closed it. */
function listen(socket: WebSocket, hear: (event: LiveEvent) => void, signal: AbortSignal): Promise<Connection> {
  return new Promise((resolve) => {
    let connection: Connection = 'never-opened'
    const close = () => socket.close(1000)
    if (signal.aborted) close()
    signal.addEventListener('abort', close)
    socket.onopen = () => {
      connection = 'had-opened'
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const event = readEvent(data)
      if (event) hear(event)
    }
    socket.onclose = () => {
      signal.removeEventListener('abort', close)
      resolve(connection)
    }
  })
}

/** Null for what this version of the page does not know. */
function readEvent(text: unknown): LiveEvent | null {
  if (typeof text !== 'string') return null
  try {
    const parsed = z.safeParse(LiveEvent, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

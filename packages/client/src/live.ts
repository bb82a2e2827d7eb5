import { ignore } from '@sallyport/contract/ignore'
import { LiveEvent, live, livePath } from '@sallyport/contract/live'
import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { ApiError } from './errors.ts'

interface LiveChannelDeps {
  /** Returns a ticket for the next socket. */
  readonly getTicket: (signal: AbortSignal) => Promise<string>
  /** Origin of the server, such as `https://files.example.org`. */
  readonly origin: string
  readonly clock?: Clock
  readonly openSocket?: (url: string) => WebSocket
  /** Returns a number in [0, 1). */
  readonly random?: () => number
}

export interface LiveChannel {
  /** Returns the function that unsubscribes. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /** Whether an event arrived within this many milliseconds, so that polling can be skipped. */
  receivedWithin(milliseconds: number): boolean
  close(): void
}

const minDelayMs = 1000
const maxDelayMs = 30_000

/**
 * Holds one socket to the server open and publishes its events. Every new connection starts with `ready`: a client that
 * shows a list must reload it then, because it missed the events in between. Stops reconnecting only when the auth
 * session or the chat session is over.
 */
export function openLiveChannel(deps: LiveChannelDeps): LiveChannel {
  const { clock = systemClock, random = Math.random } = deps
  const listeners = new Set<(event: LiveEvent) => void>()
  const closing = new AbortController()
  let lastEventAt = Number.NEGATIVE_INFINITY

  function handleEvent(event: LiveEvent): void {
    lastEventAt = clock.now()
    if (event.type === 'account.revoked' || event.type === 'session.closed') closing.abort()
    for (const listener of [...listeners]) listener(event)
  }

  async function connectRepeatedly(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      const outcome = await connectOnce(deps, handleEvent, closing.signal)
      if (outcome === 'refused') return
      failures = outcome === 'had-opened' ? 0 : failures + 1
      await clock.wait(reconnectDelay(failures, random), closing.signal)
    }
  }
  connectRepeatedly().catch((error) => ignore(error, 'the connection was closed on purpose'))

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receivedWithin: (milliseconds) => clock.now() - lastEventAt <= milliseconds,
    close: () => closing.abort(),
  }
}

/** Adds jitter, so that clients do not all reconnect in the same second after an outage. */
function reconnectDelay(failures: number, random: () => number): number {
  const upperBoundMs = Math.min(maxDelayMs, minDelayMs * 2 ** (failures + 1))
  return minDelayMs + random() * (upperBoundMs - minDelayMs)
}

type ConnectionOutcome = 'had-opened' | 'never-opened' | 'refused'

async function connectOnce(
  { getTicket, origin, openSocket = (url) => new WebSocket(url) }: LiveChannelDeps,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<ConnectionOutcome> {
  try {
    const ticket = await getTicket(signal)
    const url = new URL(livePath, origin)
    url.protocol = url.protocol.replace('http', 'ws')
    url.searchParams.set('ticket', ticket)
    return await receiveEvents(openSocket(url.href), onEvent, signal)
  } catch (error) {
    return error instanceof ApiError && finalStatuses.has(error.status) ? 'refused' : 'never-opened'
  }
}

/** The auth session or the chat session is over. */
const finalStatuses = new Set([401, 404])

/** Gets tickets for the events of the caller's own account. */
export const createAccountTicketGetter =
  (call: Call) =>
  async (signal: AbortSignal): Promise<string> =>
    (await call(live.ticket, { body: { purpose: 'live' } }, { signal })).ticket

/** Resolves when the socket is closed by either end. */
function receiveEvents(
  socket: WebSocket,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<ConnectionOutcome> {
  return new Promise((resolve) => {
    let outcome: ConnectionOutcome = 'never-opened'
    const close = () => socket.close(1000)
    if (signal.aborted) close()
    signal.addEventListener('abort', close)
    socket.onopen = () => {
      outcome = 'had-opened'
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const event = parseEvent(data)
      if (event) onEvent(event)
    }
    socket.onclose = () => {
      signal.removeEventListener('abort', close)
      resolve(outcome)
    }
  })
}

/** Returns null for events that this version of the page does not know. */
function parseEvent(text: unknown): LiveEvent | null {
  if (typeof text !== 'string') return null
  try {
    const parsed = z.safeParse(LiveEvent, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

import { portalLimits } from '@sallyport/contract/limits'
import { portals, type SignalSent, SignalTold, signallingPath } from '@sallyport/contract/portals'
import * as z from 'zod/mini'
import type { Call } from '../../call.ts'
import { type Clock, isTimeout, withDeadline } from '../../clock.ts'
import { PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'

export interface SignallingParts {
  readonly call: Call
  /** Origin of the server, such as `https://files.example.org`. */
  readonly origin: string
  readonly clock: Clock
  readonly openSocket?: (url: string) => WebSocket
}

/** What a device comes back to its room with, after its line was lost. */
export interface Seat {
  readonly peerId: string
  readonly resume: string
}

export interface Signalling {
  /** What is said while there is no line is lost. */
  say(message: SignalSent): void
  /** The next message of one of these types, also one that came before; others stay. */
  take<Type extends SignalTold['type']>(
    types: readonly Type[],
    wait?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<Extract<SignalTold, { type: Type }>>
  /** Null until this device sits where it may come back to. */
  seat(): Seat | null
  /** Gives up a line that does not answer any more, and opens another. */
  renew(): void
  /** Aborted when the line is lost and does not come back. */
  readonly lost: AbortSignal
  close(): void
}

const longestPauseMs = 10_000
const firstPauseMs = 250

/**
 * Opens a line to the server where devices meet; from a seat on it comes back by itself for as long as the seat is kept.
 * Throws a `PortalError` when it cannot, or when the seat that was given is another's by now.
 */
export async function openSignalling(parts: SignallingParts, kept: Seat | null = null): Promise<Signalling> {
  const { clock } = parts
  const lost = new AbortController()
  const heard: SignalTold[] = []
  const waiting = new Set<() => void>()
  let seat = kept

  function hear(message: SignalTold): void {
    if (message.type === 'room-created' || message.type === 'room-joined') {
      seat = message.px ? { peerId: message.peerId, resume: message.px.resume } : null
    }
    // What came before belongs to an earlier room, or to an earlier device in it.
    if (message.type === 'room-created' || message.type === 'peer-joined') heard.length = 0
    heard.push(message)
    for (const look of [...waiting]) look()
  }

  /** An answer of a known kind that breaks the contract: nothing of this server is to be relied on. */
  const malformed = () => giveUp(new PortalError(portalTexts.answerNotAccepted))

  function closed(): void {
    if (!lost.signal.aborted) comeBack().catch(() => giveUp())
  }

  const giveUp = (reason = new PortalError(portalTexts.socketFailed)) => lost.abort(reason)

  async function comeBack(): Promise<void> {
    const until = clock.now() + portalLimits.graceMs
    for (let tries = 0; seat && clock.now() < until; tries += 1) {
      await clock.wait(Math.min(longestPauseMs, firstPauseMs * 2 ** tries), lost.signal)
      try {
        line = await openLine(parts, seat, { hear, malformed, closed })
        if (lost.signal.aborted) line.close()
        return
      } catch (error) {
        if (error instanceof SeatTaken) break
      }
    }
    giveUp()
  }

  let line = await openLine(parts, seat, { hear, malformed, closed })
  return {
    say: (message) => line.say(message),
    take: (types, { timeoutMs, signal } = {}) => {
      const ending = signal ? AbortSignal.any([signal, lost.signal]) : lost.signal
      return withDeadline({ clock, timeoutMs, signal: ending }, (ended) => {
        return new Promise((resolve, reject) => {
          const look = () => {
            const index = heard.findIndex(({ type }) => (types as readonly string[]).includes(type))
            if (index < 0 && !ended.aborted) return
            waiting.delete(look)
            if (index < 0) return reject(ended.reason)
            resolve(heard.splice(index, 1)[0] as never)
          }
          waiting.add(look)
          ended.addEventListener('abort', look, { once: true })
          look()
        })
      })
    },
    seat: () => seat,
    renew() {
      if (!seat || !line.isOpen()) return
      line.close()
      closed()
    },
    lost: lost.signal,
    close() {
      giveUp()
      line.close()
    },
  }
}

interface Line {
  say(message: SignalSent): void
  isOpen(): boolean
  /** Nothing is told of it afterwards. */
  close(): void
}

interface LineEvents {
  readonly hear: (message: SignalTold) => void
  /** The server broke the contract; the line is closed. */
  readonly malformed: () => void
  /** Told once when a line that stood is lost. */
  readonly closed: () => void
}

/** Settles once the line stands, and the seat is taken where there is one. */
async function openLine(parts: SignallingParts, seat: Seat | null, events: LineEvents): Promise<Line> {
  const { call, origin, openSocket = (url) => new WebSocket(url) } = parts
  const { ticket } = await call(portals.ticket, {})
  const url = new URL(signallingPath, origin)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('session', ticket)
  const socket = openSocket(url.href)
  let stands = false

  await new Promise<void>((resolve, reject) => {
    const stand = () => {
      stands = true
      resolve()
    }
    socket.onopen = () => {
      if (seat) socket.send(JSON.stringify({ type: 'px-rejoin', ...seat } satisfies SignalSent))
      else stand()
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = readSignal(data)
      if (!message) return
      if (message === 'malformed') {
        events.malformed()
        return socket.close(1000)
      }
      if (!stands && message.type === 'room-error') {
        reject(new SeatTaken())
        return socket.close(1000)
      }
      if (message.type === 'px-rejoined') stand()
      events.hear(message)
    }
    socket.onclose = () => {
      reject(new PortalError(portalTexts.socketFailed))
      if (stands) events.closed()
      stands = false
    }
  })

  return {
    say(message) {
      if (stands) socket.send(JSON.stringify(message))
    },
    isOpen: () => stands,
    close() {
      stands = false
      socket.close(1000)
    },
  }
}

/** The room is over, or was never there. */
class SeatTaken extends PortalError {
  constructor() {
    super(portalTexts.over)
  }
}

/** Null for a kind of message that this client does not know. */
function readSignal(data: unknown): SignalTold | 'malformed' | null {
  if (typeof data !== 'string') return null
  try {
    const parsed = z.safeParse(SignalTold, JSON.parse(data))
    if (parsed.success) return parsed.data
    return parsed.error.issues.every(({ path }) => path.length === 0 || path[0] === 'type') ? null : 'malformed'
  } catch {
    return null
  }
}

/** Puts a sentence in the place of a time that is up. */
export async function timely<T>(work: Promise<T>, text: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isTimeout(error) ? new PortalError(text) : error
  }
}

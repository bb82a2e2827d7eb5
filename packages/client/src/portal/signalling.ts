import { portals, type SignalSent, SignalTold, signallingPath } from '@sallyport/contract/portals'
import * as z from 'zod/mini'
import type { Call } from '../call.ts'
import { type Clock, isTimeout, withDeadline } from '../clock.ts'
import { PortalError } from './channel.ts'
import { portalTexts } from './texts.ts'

export interface SignallingParts {
  readonly call: Call
  /** Origin of the server, such as `https://files.example.org`. */
  readonly origin: string
  readonly clock: Clock
  readonly openSocket?: (url: string) => WebSocket
}

export interface Signalling {
  say(message: SignalSent): void
  /** The next message of one of these types, also one that came before; others stay. */
  take<Type extends SignalTold['type']>(
    types: readonly Type[],
    wait?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<Extract<SignalTold, { type: Type }>>
  /** Aborted when the line is lost. */
  readonly lost: AbortSignal
  close(): void
}

/** Opens one line to the server where devices meet. Throws a `PortalError` when it cannot. */
export async function openSignalling(parts: SignallingParts): Promise<Signalling> {
  const { call, origin, clock, openSocket = (url) => new WebSocket(url) } = parts
  const { ticket } = await call(portals.ticket, {})
  const url = new URL(signallingPath, origin)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('session', ticket)
  const socket = openSocket(url.href)
  const lost = new AbortController()
  const kept: SignalTold[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of [...waiting]) look()
  }
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = readSignal(data)
    if (message) kept.push(message)
    wake()
  }
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onclose = () => {
      lost.abort(new PortalError(portalTexts.socketFailed))
      reject(lost.signal.reason)
    }
  })

  return {
    say: (message) => socket.send(JSON.stringify(message)),
    take: (types, { timeoutMs, signal } = {}) => {
      const ending = signal ? AbortSignal.any([signal, lost.signal]) : lost.signal
      return withDeadline({ clock, timeoutMs, signal: ending }, (ended) => {
        return new Promise((resolve, reject) => {
          const look = () => {
            const index = kept.findIndex(({ type }) => (types as readonly string[]).includes(type))
            if (index < 0 && !ended.aborted) return
            waiting.delete(look)
            if (index < 0) return reject(ended.reason)
            resolve(kept.splice(index, 1)[0] as never)
          }
          waiting.add(look)
          ended.addEventListener('abort', look, { once: true })
          look()
        })
      })
    },
    lost: lost.signal,
    close: () => socket.close(1000),
  }
}

function readSignal(data: unknown): SignalTold | null {
  if (typeof data !== 'string') return null
  try {
    const parsed = z.safeParse(SignalTold, JSON.parse(data))
    return parsed.success ? parsed.data : null
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

import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import { type ClientSignal, portals, ServerSignal, signallingPath } from '@sallyport/contract/portals'
import * as z from 'zod/mini'
import type { Call } from '../../call.ts'
import { type Clock, withDeadline } from '../../clock.ts'
import { PortalError } from '../errors.ts'
import { createMailbox } from '../mailbox.ts'

export interface SignallingDeps {
  readonly call: Call
  /** Origin of the server, such as `https://files.example.org`. */
  readonly origin: string
  readonly clock: Clock
  readonly openSocket?: (url: string) => WebSocket
}

/** Lets a device rejoin its room after its connection was lost. */
export interface ResumeToken {
  readonly peerId: string
  readonly resume: string
}

export interface Signalling {
  /** Messages that are sent while disconnected are dropped. */
  send(message: ClientSignal): void
  /** The next message of one of these types, including buffered ones. Other messages stay buffered. */
  receive<Type extends ServerSignal['type']>(
    types: readonly Type[],
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<Extract<ServerSignal, { type: Type }>>
  /** Null until this device is in a room that it can rejoin. */
  resumeToken(): ResumeToken | null
  /** Drops a connection that no longer answers and opens another. */
  reconnect(): void
  /** Aborted when the connection is lost and cannot be restored. */
  readonly lost: AbortSignal
  close(): void
}

const maxRetryDelayMs = 10_000
const initialRetryDelayMs = 250

/**
 * Opens the signalling connection. Once it has a resume token it reconnects automatically for as long as the server
 * holds the slot. Throws a `PortalError` when it cannot connect or the resume token is rejected.
 */
export async function openSignalling(deps: SignallingDeps, savedToken: ResumeToken | null = null): Promise<Signalling> {
  const { clock } = deps
  const lost = new AbortController()
  const { put, take, clear } = createMailbox<ServerSignal>()
  let resumeToken = savedToken

  function onSignal(message: ServerSignal): void {
    if (message.type === 'room-created' || message.type === 'room-joined') {
      resumeToken = message.px ? { peerId: message.peerId, resume: message.px.resume } : null
    }
    // Earlier messages belong to a previous room or a previous peer.
    if (message.type === 'room-created' || message.type === 'peer-joined') clear()
    put(message)
  }

  /** A message of a known type that violates the contract: the server cannot be trusted. */
  const onMalformed = () => markLost(new PortalError('ANSWER_NOT_ACCEPTED'))

  function onClosed(): void {
    if (!lost.signal.aborted) rejoin().catch(() => markLost())
  }

  const markLost = (reason = new PortalError('SOCKET_FAILED')) => lost.abort(reason)

  async function rejoin(): Promise<void> {
    const deadline = clock.now() + portalLimits.graceMs
    for (let tries = 0; resumeToken && clock.now() < deadline; tries += 1) {
      await clock.wait(Math.min(maxRetryDelayMs, initialRetryDelayMs * 2 ** tries), lost.signal)
      try {
        socket = await openSignallingSocket(deps, resumeToken, { onSignal, onMalformed, onClosed })
        if (lost.signal.aborted) socket.close()
        return
      } catch (error) {
        if (error instanceof ResumeRejectedError) break
      }
    }
    markLost()
  }

  let socket = await openSignallingSocket(deps, resumeToken, { onSignal, onMalformed, onClosed })
  return {
    send: (message) => socket.send(message),
    receive: (types, { timeoutMs, signal } = {}) => {
      const ending = signal ? AbortSignal.any([signal, lost.signal]) : lost.signal
      return withDeadline({ clock, timeoutMs, signal: ending }, (ended) => take(types, ended))
    },
    resumeToken: () => resumeToken,
    reconnect() {
      if (!resumeToken || !socket.isOpen()) return
      socket.close()
      onClosed()
    },
    lost: lost.signal,
    close() {
      markLost()
      socket.close()
    },
  }
}

interface SignallingSocket {
  send(message: ClientSignal): void
  isOpen(): boolean
  /** Closes the socket without further events. */
  close(): void
}

interface SignallingSocketEvents {
  readonly onSignal: (message: ServerSignal) => void
  /** Called when the server violates the contract; the socket is closed. */
  readonly onMalformed: () => void
  /** Called once when an open socket is lost. */
  readonly onClosed: () => void
}

/** Resolves once the socket is open and, with a resume token, the room is rejoined. */
async function openSignallingSocket(
  deps: SignallingDeps,
  resumeToken: ResumeToken | null,
  events: SignallingSocketEvents,
): Promise<SignallingSocket> {
  const { call, origin, openSocket = (url) => new WebSocket(url) } = deps
  const { ticket } = await call(portals.ticket, {})
  const url = new URL(signallingPath, origin)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('session', ticket)
  const socket = openSocket(url.href)
  let isReady = false

  await new Promise<void>((resolve, reject) => {
    const markReady = () => {
      isReady = true
      resolve()
    }
    socket.onopen = () => {
      if (resumeToken) socket.send(JSON.stringify({ type: 'px-rejoin', ...resumeToken } satisfies ClientSignal))
      else markReady()
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseSignal(data)
      if (!message) return
      if (message === 'malformed') {
        events.onMalformed()
        return socket.close(1000)
      }
      if (!isReady && message.type === 'room-error') {
        reject(new ResumeRejectedError())
        return socket.close(1000)
      }
      if (message.type === 'px-rejoined') markReady()
      events.onSignal(message)
    }
    socket.onclose = () => {
      reject(new PortalError('SOCKET_FAILED'))
      if (isReady) events.onClosed()
      isReady = false
    }
  })

  return {
    send(message) {
      if (isReady) socket.send(JSON.stringify(message))
    },
    isOpen: () => isReady,
    close() {
      isReady = false
      socket.close(1000)
    },
  }
}

/** The room has ended or never existed. */
class ResumeRejectedError extends PortalError {
  constructor() {
    super('ENDED')
  }
}

/** Null for a message type that this client does not know. */
function parseSignal(data: unknown): ServerSignal | 'malformed' | null {
  if (typeof data !== 'string') return null
  try {
    const parsed = z.safeParse(ServerSignal, JSON.parse(data))
    if (parsed.success) return parsed.data
    return parsed.error.issues.every(({ path }) => path.length === 0 || path[0] === 'type') ? null : 'malformed'
  } catch (error) {
    ignore(error, 'the text of a message is not JSON')
    return null
  }
}

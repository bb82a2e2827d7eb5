import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createFairSlots } from '../../rate-limit/fair-slots.ts'

interface PipeliningLimits {
  /** Requests that may wait for the response to an earlier one: on one connection, and on all of them. */
  readonly pipelinedPerConnection: number
  readonly pipelined: number
}

interface PipeliningOptions {
  readonly limits: PipeliningLimits
  /** The key of the caller that a connection belongs to. */
  readonly callerOf: (socket: Socket) => string
  readonly onCut: () => void
}

/** Node's parser of the requests on a connection. The result of 2 is that of an upgrade: what follows is not HTTP. */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming: () => 2 } | null
}

interface WaitingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly release: () => void
}

/**
 * Limits what the requests of a connection use before their responses are read. Node would start them all at once, and
 * their responses would wait, in memory and with open files, for a client that may never read the first one.
 */
export function createPipelining({ limits, callerOf, onCut }: PipeliningOptions) {
  const slots = createFairSlots(limits.pipelined, onCut)
  /** The waiting requests of each connection with a request that is being handled. */
  const waitingOf = new WeakMap<Socket, WaitingRequest[]>()

  function enqueue(waiting: WaitingRequest[], request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const close = (): void => closeUnparsed(socket)
    const hasRoom = waiting.length < limits.pipelinedPerConnection
    if (!hasRoom) onCut()
    const release = hasRoom ? slots.acquire(callerOf(socket), close) : null
    if (release) waiting.push({ request, response, release })
    else close()
  }

  return {
    /**
     * Wraps a listener that then handles the requests of a connection one at a time. A connection on which too many wait
     * is closed; browsers and proxies do not pipeline.
     */
    handleInOrder(listener: RequestListener): RequestListener {
      function handle(request: IncomingMessage, response: ServerResponse): void {
        response.once('close', () => handleNext(request.socket))
        listener(request, response)
      }

      function handleNext(socket: Socket): void {
        const waiting = waitingOf.get(socket) ?? []
        if (socket.destroyed) for (const { release } of waiting.splice(0)) release()
        const next = waiting.shift()
        if (!next) return void waitingOf.delete(socket)
        next.release()
        handle(next.request, next.response)
      }

      return (request, response) => {
        // The parser continues with what has arrived before.
        if (request.socket.destroyed) return
        const waiting = waitingOf.get(request.socket)
        if (waiting) return enqueue(waiting, request, response)
        waitingOf.set(request.socket, [])
        handle(request, response)
      }
    },
    /** Whether a request of the connection is being handled; it cannot become a WebSocket meanwhile. */
    isBusy: (socket: Socket): boolean => waitingOf.has(socket),
    /** The number of waiting requests. */
    waiting: slots.inUse,
  }
}

/** Closes a connection without creating the requests that have arrived on it and have not been parsed. */
function closeUnparsed(socket: ParsedSocket): void {
  socket.destroy()
  if (socket.parser) socket.parser.onIncoming = () => 2
}

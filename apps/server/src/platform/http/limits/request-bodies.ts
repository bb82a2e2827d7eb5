import { performance } from 'node:perf_hooks'
import { PassThrough, type Readable } from 'node:stream'
import { maximumSealedChunkBytes } from '@sallyport/contract/server-limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiError } from '../../../errors.ts'
import { createDiscardPace } from './discard-pace.ts'

interface BodyLimits {
  /** A JSON body must arrive within this time, or at this rate until the final deadline. */
  readonly jsonBodyMs: number
  readonly jsonBodyBytes: number
  readonly jsonBodyEndMs: number
  /**
   * For the rest of an answered request's body: the check interval, the minimum bytes per interval and the maximum
   * time.
   */
  readonly unreadBodyCheckMs: number
  readonly unreadBodyBytes: number
  readonly unreadBodyMs: number
  /** The maximum time for a body of unknown or excessive length. */
  readonly unboundedUnreadBodyMs: number
}

interface RequestBodyOptions {
  readonly limits: BodyLimits
  /** True for a route that reads its body as a stream and has its own stall guard. */
  readonly streamsBody: (request: FastifyRequest) => boolean
  readonly onLate: () => void
}

/** Rejects bodies that arrive too slowly, and discards the bodies of requests that are already answered. */
export function limitRequestBodies(app: FastifyInstance, { limits, streamsBody, onLate }: RequestBodyOptions): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.ws || streamsBody(request) || request.raw.complete) return payload
    return withDeadline(payload as Readable, limits, () => {
      if (!reply.sent) {
        onLate()
        reply.header('Connection', 'close')
      }
      return apiError('REQUEST_TIMEOUT')
    })
  })
  app.addHook('onResponse', async (request) => drainBody(request, { limits, onLate, isStreamed: streamsBody(request) }))
}

/** Pipes the body through; fails with the error of `onLate` if it arrives too slowly or misses its deadline. */
function withDeadline(payload: Readable, limits: BodyLimits, onLate: () => Error): PassThrough {
  const limited = new PassThrough()
  const endsAt = performance.now() + limits.jsonBodyEndMs
  let received = 0
  const pace = setInterval(() => {
    if (received >= limits.jsonBodyBytes && performance.now() < endsAt) {
      received = 0
      return
    }
    clearInterval(pace)
    payload.unpipe(limited)
    limited.destroy(onLate())
  }, limits.jsonBodyMs).unref()
  payload.on('data', (piece: Buffer) => {
    received += piece.length
  })
  // A request may be answered without reading its body.
  limited.on('error', () => undefined)
  const stop = (): void => clearInterval(pace)
  payload.once('end', stop).once('close', stop)
  payload.once('error', (error) => void limited.destroy(error))
  payload.once('close', () => {
    if (!payload.readableEnded) limited.destroy(apiError('BAD_REQUEST'))
  })
  return payload.pipe(limited)
}

interface DrainOptions extends Pick<RequestBodyOptions, 'limits' | 'onLate'> {
  readonly isStreamed: boolean
}

/**
 * Discards the rest of an answered request's body, so that the client reads the response. Closes the connection if the
 * rest is too slow or too long.
 */
function drainBody({ raw, ws, headers }: FastifyRequest, { limits, onLate, isStreamed }: DrainOptions): void {
  if (ws || raw.complete || raw.destroyed) return
  const { socket } = raw
  // What is resumed would otherwise be buffered for the parser.
  raw.unpipe()
  // Node does not abort the body of an answered request.
  const abort = (): void => void raw.destroy()
  socket.once('close', abort)
  let seenBytes = socket.bytesRead
  function closeConnection(): void {
    onLate()
    raw.destroy()
  }
  const isBounded = Number(headers['content-length'] ?? Number.NaN) <= maximumSealedChunkBytes
  const maxMs = isBounded && isStreamed ? limits.unreadBodyMs : limits.unboundedUnreadBodyMs
  const last = setTimeout(closeConnection, isBounded && !isStreamed ? limits.jsonBodyMs : maxMs).unref()
  const pace = setInterval(() => {
    if (socket.bytesRead - seenBytes < limits.unreadBodyBytes) closeConnection()
    seenBytes = socket.bytesRead
  }, limits.unreadBodyCheckMs).unref()
  raw.once('close', () => {
    clearTimeout(last)
    clearInterval(pace)
    socket.off('close', abort)
  })
  raw.on('data', createDiscardPace(raw))
}

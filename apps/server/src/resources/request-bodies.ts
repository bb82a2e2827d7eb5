import { performance } from 'node:perf_hooks'
import { PassThrough, type Readable } from 'node:stream'
import { maximumSealedChunkBytes } from '@sallyport/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../errors.ts'

interface BodyLimits {
  /** A body of JSON arrives within this time, or later while so many bytes arrive in each such period, until the end. */
  readonly jsonBodyMs: number
  readonly jsonBodyBytes: number
  readonly jsonBodyEndMs: number
  /** What is left of an answered request: how often it is looked at, what moves meanwhile, and how long it may take. */
  readonly leftoverCheckMs: number
  readonly leftoverBytes: number
  readonly leftoverMs: number
  /** The same for a body of unknown or excessive length. */
  readonly unboundedLeftoverMs: number
}

interface Wishes {
  readonly limits: BodyLimits
  /** True for a route that reads its body as a stream, and looks after its pace itself. */
  readonly streamsBody: (request: FastifyRequest) => boolean
  readonly onLate: () => void
}

/** Refuses bodies that do not arrive in time, and ends the ones of requests that have been answered already. */
export function boundBodies(app: FastifyInstance, { limits, streamsBody, onLate }: Wishes): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.ws || streamsBody(request) || request.raw.complete) return payload
    return withDeadline(payload as Readable, limits, () => {
      if (!reply.sent) {
        onLate()
        reply.header('Connection', 'close')
      }
      return refuse('REQUEST_TIMEOUT')
    })
  })
  app.addHook('onResponse', async (request) =>
    endLeftover(request, { limits, onLate, isStreamed: streamsBody(request) }),
  )
}

/** The same bytes; fails with the error of `onLate` when they arrive too slowly or do not end in time. */
function withDeadline(payload: Readable, limits: BodyLimits, onLate: () => Error): PassThrough {
  const bounded = new PassThrough()
  const endsAt = performance.now() + limits.jsonBodyEndMs
  let received = 0
  const pace = setInterval(() => {
    if (received >= limits.jsonBodyBytes && performance.now() < endsAt) {
      received = 0
      return
    }
    clearInterval(pace)
    payload.unpipe(bounded)
    bounded.destroy(onLate())
  }, limits.jsonBodyMs).unref()
  payload.on('data', (piece: Buffer) => {
    received += piece.length
  })
  // Nothing reads the body of a request that was answered without it.
  bounded.on('error', () => undefined)
  const stop = (): void => clearInterval(pace)
  payload.once('end', stop).once('close', stop)
  payload.once('error', (error) => void bounded.destroy(error))
  payload.once('close', () => {
    if (!payload.readableEnded) bounded.destroy(refuse('BAD_REQUEST'))
  })
  return payload.pipe(bounded)
}

interface Leftover extends Pick<Wishes, 'limits' | 'onLate'> {
  readonly isStreamed: boolean
}

/**
 * An answer often leaves before its request is over. What is left of the body is read to nowhere, so that the sender
 * comes to read the answer; one that is too slow or too long is cut off with its connection.
 */
function endLeftover({ raw, ws, headers }: FastifyRequest, { limits, onLate, isStreamed }: Leftover): void {
  if (ws || raw.complete || raw.destroyed) return
  const { socket } = raw
  let seenBytes = socket.bytesRead
  function cut(): void {
    onLate()
    raw.destroy()
  }
  const isBounded = Number(headers['content-length'] ?? Number.NaN) <= maximumSealedChunkBytes
  const mostMs = isBounded && isStreamed ? limits.leftoverMs : limits.unboundedLeftoverMs
  const last = setTimeout(cut, isBounded && !isStreamed ? limits.jsonBodyMs : mostMs).unref()
  const pace = setInterval(() => {
    if (socket.bytesRead - seenBytes < limits.leftoverBytes) cut()
    seenBytes = socket.bytesRead
  }, limits.leftoverCheckMs).unref()
  raw.once('close', () => {
    clearTimeout(last)
    clearInterval(pace)
  })
  raw.resume()
}

import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { apiError } from '../../../errors.ts'
import { callerOf } from '../address-blocks.ts'

interface UnsentResponse {
  readonly caller: string
  readonly bytes: number
  readonly abort: () => void
}

/**
 * Limits the bytes of responses that wait in memory for their clients. Over the limit, the newest responses of the
 * caller with the most waiting bytes are aborted until the rest fits.
 */
export function createUnsentResponses(limit: number, onCut: () => void) {
  /** Sets iterate in insertion order, so the newest is last. */
  const responses = new Set<UnsentResponse>()
  let total = 0

  function remove(response: UnsentResponse): void {
    if (responses.delete(response)) total -= response.bytes
  }

  return {
    /** Counts a response until the returned function is called; null if this response does not fit. */
    add(response: UnsentResponse): (() => void) | null {
      responses.add(response)
      total += response.bytes
      while (total > limit) {
        const newest = newestOfHeaviest(responses) ?? response
        onCut()
        remove(newest)
        if (newest === response) return null
        newest.abort()
      }
      return () => remove(response)
    },
    bytes: (): number => total,
  }
}

type UnsentResponses = ReturnType<typeof createUnsentResponses>

function newestOfHeaviest(responses: Iterable<UnsentResponse>): UnsentResponse | null {
  const sums = new Map<string, number>()
  for (const { caller, bytes } of responses) sums.set(caller, (sums.get(caller) ?? 0) + bytes)
  const [heaviest] = [...sums].reduce((heaviestSoFar, one) => (one[1] >= heaviestSoFar[1] ? one : heaviestSoFar), [
    '',
    0,
  ] as const)
  let newest: UnsentResponse | null = null
  for (const response of responses) if (response.caller === heaviest) newest = response
  return newest
}

declare module 'fastify' {
  interface FastifyReply {
    /** Set if the payload is in memory once for all responses. */
    hasSharedBytes: boolean
  }
}

interface UnsentResponseLimits {
  readonly stalledReadMs: number
  readonly countedResponseBytes: number
  /** What a stream counts as: its buffers, and its descriptor. */
  readonly streamedResponseBytes: number
}

interface UnsentResponseOptions {
  readonly limits: UnsentResponseLimits
  readonly unsentResponses: UnsentResponses
  readonly countCut: (cause: 'stalled-answer') => void
}

/**
 * Counts the responses of an application, including streams, while clients read them and responds with 503 to those that
 * do not fit. Aborts every response whose client has read nothing for a while. Slow clients are not disconnected.
 */
export function limitUnsentResponses(
  app: FastifyInstance,
  { limits, unsentResponses, countCut }: UnsentResponseOptions,
): void {
  function countedBytes({ hasSharedBytes }: FastifyReply, payload: unknown): number {
    if (hasSharedBytes) return 0
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload)
    return payload instanceof Readable ? limits.streamedResponseBytes : 0
  }

  app.decorateReply('hasSharedBytes', false)
  app.addHook('onSend', async (request, reply, payload) => {
    const { raw: response } = reply
    const { socket } = request.raw
    if (response.destroyed || !(socket instanceof Socket)) return payload
    // Node's timer also observes bytes that leave the process within one long write.
    response.setTimeout(limits.stalledReadMs, () => {
      countCut('stalled-answer')
      socket.destroy()
    })
    // Node then sets its keep-alive timer or that of the next response.
    response.prependOnceListener('finish', () => socket.setTimeout(0))
    const bytes = countedBytes(reply, payload)
    if (bytes < limits.countedResponseBytes) return payload
    const caller = callerOf(request, request.caller?.account?.userId)
    const release = unsentResponses.add({ caller, bytes, abort: () => void socket.destroy() })
    if (!release) {
      if (payload instanceof Readable) payload.destroy()
      throw apiError('UNAVAILABLE', { retryAfterSeconds: 5 })
    }
    response.once('close', release)
    return payload
  })
}

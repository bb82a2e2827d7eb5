import { maximumSealedChunkBytes, transferLimits } from '@sallyport/contract/limits'
import type { FastifyInstance } from 'fastify'

const unboundedGraceMs = 2000

/**
 * A refusal often goes out before its request is over. What is left of the body is let through to nowhere, so that the
 * sender comes to read the answer; one that would go on for too long is cut off.
 */
export function drainLeftovers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request) => {
    const body = request.raw
    if (request.body !== body || body.readableEnded || body.destroyed) return
    const isBounded = Number(request.headers['content-length'] ?? Number.NaN) <= maximumSealedChunkBytes
    const graceMs = isBounded ? transferLimits.chunkTimeoutMs : unboundedGraceMs
    const timer = setTimeout(() => void body.destroy(), graceMs).unref()
    body.once('close', () => clearTimeout(timer))
    body.resume()
  })
}

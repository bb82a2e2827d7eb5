import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiError } from '../../../errors.ts'
import { isBoundedJson } from './bounded-json.rules.ts'

/**
 * Parses the JSON bodies of an application, or of a part of it, unless they nest too deeply or contain too many values.
 * With `acceptsEmpty`, an empty body is none.
 */
export function parseJsonBodies(app: FastifyInstance, { acceptsEmpty = false } = {}): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (takesRaw(request)) return done(null, bytes)
    const body = bytes.toString()
    if (acceptsEmpty && body === '') return done(null, undefined)
    if (!isBoundedJson(body)) return done(apiError('BAD_JSON'))
    return parse(request, body, done)
  })
}

/** Whether the call is given a JSON body as the bytes that were received. */
export function takesRaw({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  const body = routeOptions.config.endpoint?.body
  return body !== undefined && 'kind' in body && body.kind === 'raw'
}

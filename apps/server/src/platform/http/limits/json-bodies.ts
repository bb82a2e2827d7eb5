import type { FastifyInstance } from 'fastify'
import { apiError } from '../../../errors.ts'
import { isBoundedJson } from './bounded-json.rules.ts'

/**
 * Parses the JSON bodies of an application, or of a part of it, unless they nest too deeply or contain too many values.
 * With `acceptsEmpty`, an empty body is none.
 */
export function parseJsonBodies(app: FastifyInstance, { acceptsEmpty = false } = {}): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (acceptsEmpty && body === '') return done(null, undefined)
    if (!isBoundedJson(body)) return done(apiError('BAD_JSON'))
    return parse(request, body, done)
  })
}

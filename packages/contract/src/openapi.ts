import * as z from 'zod/v4/core'
import type { EndpointSpec } from './endpoint.ts'
import { errorCatalogue } from './errors.ts'

type Json = { [key: string]: unknown }

const isSchema = (part: unknown): part is z.$ZodType => typeof part === 'object' && part !== null && '_zod' in part
const schemaOf = (part: z.$ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(part, { io, unrepresentable: 'any', target: 'openapi-3.0' }) as Json

/** Writes the contract as an OpenAPI 3.1 document. */
export function describeInterface(endpoints: readonly EndpointSpec[], version: string) {
  const paths: Record<string, Json> = {}
  for (const spec of endpoints) {
    const path = spec.path.replace(/:([a-zA-Z]+)/g, '{$1}')
    paths[path] ??= {}
    ;(paths[path] as Json)[spec.method.toLowerCase()] = describeEndpoint(spec)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sallyport', version, license: { name: 'AGPL-3.0-or-later' } },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  }
}

function describeEndpoint(spec: EndpointSpec): Json {
  const parameters = [
    ...describeParameters(spec.params, 'path'),
    ...describeParameters(spec.query, 'query'),
    ...describeParameters(spec.headers, 'header'),
  ]
  return {
    summary: spec.summary,
    ...(spec.access === 'account' && { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(spec.body && { requestBody: { required: true, content: describeContent(spec.body, 'input') } }),
    responses: { ...describeSuccess(spec), ...describeRefusals(spec) },
  }
}

function describeParameters(part: EndpointSpec['params'], where: 'path' | 'query' | 'header'): Json[] {
  if (!part) return []
  const { properties = {}, required = [] } = schemaOf(part, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema,
  }))
}

function describeContent(part: NonNullable<EndpointSpec['body']>, io: 'input' | 'output'): Json {
  if (isSchema(part)) return { 'application/json': { schema: schemaOf(part, io) } }
  return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
}

function describeSuccess(spec: EndpointSpec): Json {
  if ('kind' in spec.reply && spec.reply.kind === 'nothing') return { 204: { description: 'Done' } }
  return {
    200: { description: 'Done', content: describeContent(spec.reply as NonNullable<EndpointSpec['body']>, 'output') },
  }
}

function describeRefusals(spec: EndpointSpec): Json {
  const answers: Record<string, Json> = {}
  for (const code of spec.errors ?? []) {
    const { status, text } = errorCatalogue[code]
    const known = answers[status]?.['description']
    answers[status] = { description: known ? `${known}; ${code}: ${text}` : `${code}: ${text}` }
  }
  return answers
}

import * as z from 'zod/v4/core'
import type { EndpointSpec } from './endpoint.ts'
import { errorCatalogue } from './errors.ts'
import { rangeHeaders, responseHeaders } from './response-headers.ts'

type Json = { [key: string]: unknown }

const isSchema = (schema: unknown): schema is z.$ZodType =>
  typeof schema === 'object' && schema !== null && '_zod' in schema
const schemaOf = (schema: z.$ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' }) as Json

/** Describes the contract as an OpenAPI 3.1 document. */
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
    ...((spec.access === 'account' || spec.access === 'admin') && { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(spec.body && { requestBody: { required: true, content: describeContent(spec.body, 'input') } }),
    responses: { ...describeSuccess(spec), ...describeErrors(spec) },
  }
}

function describeParameters(parameterSchema: EndpointSpec['params'], where: 'path' | 'query' | 'header'): Json[] {
  if (!parameterSchema) return []
  const { properties = {}, required = [] } = schemaOf(parameterSchema, 'input') as {
    properties?: Json
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema,
  }))
}

function describeContent(schema: NonNullable<EndpointSpec['body']>, io: 'input' | 'output'): Json {
  if (isSchema(schema)) return { 'application/json': { schema: schemaOf(schema, io) } }
  if (schema.kind === 'raw') return { 'application/json': { schema: { type: 'object' } } }
  return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
}

function describeSuccess(spec: EndpointSpec): Json {
  if ('kind' in spec.reply && spec.reply.kind === 'nothing') return { 204: { description: 'Done' } }
  const content = describeContent(spec.reply as NonNullable<EndpointSpec['body']>, 'output')
  const headers = responseHeaders[`${spec.method} ${spec.path}`]
  if (!headers) return { 200: { description: 'Done', content } }
  const whole = { description: 'The whole file', headers: describeHeaders(headers), content }
  if (spec.method === 'HEAD') return { 200: whole }
  const partHeaders = describeHeaders({ ...headers, ...rangeHeaders })
  return { 200: whole, 206: { description: 'The requested range', headers: partHeaders, content } }
}

const describeHeaders = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

function describeErrors(spec: EndpointSpec): Json {
  const responses: Record<string, Json> = {}
  for (const code of spec.errors ?? []) {
    const { status, text } = errorCatalogue[code]
    const description = responses[status]?.['description']
    responses[status] = { description: description ? `${description}; ${code}: ${text}` : `${code}: ${text}` }
  }
  return responses
}

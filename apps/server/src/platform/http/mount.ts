import type { Readable } from 'node:stream'
import type { Access, EndpointSpec, HandlerInput, Reply } from '@sallyport/contract/endpoint'
import { errorCatalogue } from '@sallyport/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { apiError } from '../../errors.ts'
import type { ByteResponse } from './byte-response.ts'
import { sendBytes } from './byte-response.ts'
import type { Caller } from './caller.ts'

const maxNamedFields = 5

interface RequestContext<E extends EndpointSpec> {
  readonly caller: Caller<E['access']>
  /** The address block of the client, for rate limits only. */
  readonly address: string
  readonly userAgent: string | undefined
  readonly proxy: FastifyRequest['proxy']
  readonly log: FastifyRequest['log']
  /** Aborted when the client disconnects before the response is sent. */
  readonly disconnectSignal: AbortSignal
  /** Resolves once the response is sent or the connection is closed. */
  readonly closed: Promise<void>
  /** Sets a response header. */
  readonly setHeader: (header: string, value: string) => void
}

/** What a handler returns; `success: true` is added to it. */
type HandlerResult<E extends EndpointSpec> = E['reply'] extends { kind: 'bytes' }
  ? ByteResponse
  : E['reply'] extends { kind: 'nothing' }
    ? undefined
    : WithoutSuccess<Reply<E>>

type WithoutSuccess<ReplyBody> = ReplyBody extends readonly unknown[] ? ReplyBody : Omit<ReplyBody, 'success'>

export type Handler<E extends EndpointSpec> = (
  request: HandlerInput<E, Readable> & RequestContext<E>,
) => Promise<HandlerResult<E>>

/** Checks the query parameters; throws an API error. */
export type CheckQuery = (query: Readonly<Record<string, unknown>>) => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's endpoint of a route; routes without one cannot be added. */
    endpoint?: EndpointSpec
    /** A socket or a static page, which is in the contract only by its path. */
    outsideContract?: 'socket' | 'page'
    /** Maximum frame length of a socket; the default without it. */
    frameBytes?: number
    /** Rejects a query before the caller is authenticated. */
    checkQuery?: CheckQuery | undefined
  }
  interface FastifyRequest {
    caller: Caller<Access>
  }
}

/** Mounts a handler on an endpoint of the contract: parses requests and strips responses to the schema. */
export function mount<E extends EndpointSpec>(
  app: FastifyInstance,
  spec: E,
  handler: Handler<E>,
  { checkQuery }: { readonly checkQuery?: CheckQuery | undefined } = {},
): void {
  app.route({
    method: spec.method,
    url: spec.path,
    config: { endpoint: spec, checkQuery },
    ...(spec.bodyBytes !== undefined && { bodyLimit: spec.bodyBytes }),
    handler: async (request, reply) => {
      const result = await handler({ ...receive(spec, request), ...createRequestContext(request, reply) } as never)
      return send(spec, reply, result)
    },
  })
}

function receive(spec: EndpointSpec, request: FastifyRequest): object {
  return {
    ...(spec.params && { params: parse(spec.params, request.params) }),
    ...(spec.query && { query: parse(spec.query, request.query) }),
    ...(spec.headers && { headers: parse(spec.headers, request.headers) }),
    ...(spec.body && { body: 'kind' in spec.body ? request.body : parse(spec.body, request.body) }),
  }
}

function parse(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].filter((field) => field !== '')
  throw apiError('BAD_REQUEST', { details: { fields }, ...(fields.length > 0 && { text: textFor(fields) }) })
}

/** Names the first wrong fields. */
const textFor = (fields: readonly string[]): string =>
  `${errorCatalogue.BAD_REQUEST.text}. Check ${fields.slice(0, maxNamedFields).join(', ')}.`

function createRequestContext(request: FastifyRequest, reply: FastifyReply): object {
  const disconnection = new AbortController()
  const closed = Promise.withResolvers<void>()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnection.abort()
    closed.resolve()
  })
  return {
    caller: request.caller,
    address: request.clientBlock,
    userAgent: request.headers['user-agent'],
    proxy: request.proxy,
    log: request.log,
    disconnectSignal: disconnection.signal,
    closed: closed.promise,
    setHeader: (header: string, value: string) => void reply.header(header, value),
  }
}

function send(spec: EndpointSpec, reply: FastifyReply, result: unknown): FastifyReply {
  if (!('kind' in spec.reply)) {
    const body = Array.isArray(result) ? result : { success: true, ...(result as object) }
    return reply.send(z.parse(spec.reply, body))
  }
  if (spec.reply.kind === 'bytes') return sendBytes(reply, result as ByteResponse)
  return reply.code(spec.method === 'HEAD' ? 200 : 204).send()
}

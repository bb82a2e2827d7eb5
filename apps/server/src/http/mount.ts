import type { Readable } from 'node:stream'
import type { Access, EndpointSpec, Received, Reply } from '@sallyport/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { refuse } from '../errors.ts'
import type { ByteAnswer } from './byte-answer.ts'
import { sendBytes } from './byte-answer.ts'
import type { Caller } from './caller.ts'

interface Visit<E extends EndpointSpec> {
  readonly caller: Caller<E['access']>
  /** The block of addresses the request came from, for limits only. */
  readonly address: string
  readonly userAgent: string | undefined
  readonly log: FastifyRequest['log']
  /** Aborted when the other side goes away before it has been answered. */
  readonly gone: AbortSignal
  /** Settles once the answer has been sent, or the connection is closed. */
  readonly closed: Promise<void>
  /** Adds a header to the answer. */
  readonly say: (header: string, value: string) => void
}

/** What a handler gives; that the call succeeded is said for it. */
type Answer<E extends EndpointSpec> = E['reply'] extends { kind: 'bytes' }
  ? ByteAnswer
  : E['reply'] extends { kind: 'nothing' }
    ? undefined
    : Unsaid<Reply<E>>

type Unsaid<Answered> = Answered extends readonly unknown[] ? Answered : Omit<Answered, 'success'>

export type Handler<E extends EndpointSpec> = (request: Received<E, Readable> & Visit<E>) => Promise<Answer<E>>

/** Given the names and values behind the `?`; throws a refusal. */
export type RefuseAddress = (query: Readonly<Record<string, unknown>>) => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's value behind a route; a route without one cannot be added. */
    endpoint?: EndpointSpec
    /** A socket or a static page, which stand in the contract by their path alone. */
    outsideContract?: 'socket' | 'page'
    /** The longest frame a socket takes; the usual length without it. */
    frameBytes?: number
    /** Refuses an address for what it carries, whoever calls. */
    refuseAddress?: RefuseAddress | undefined
  }
  interface FastifyRequest {
    caller: Caller<Access>
  }
}

/** Attaches a handler to an endpoint of the contract: what arrives is parsed, what leaves is stripped to what is promised. */
export function mount<E extends EndpointSpec>(
  app: FastifyInstance,
  spec: E,
  handler: Handler<E>,
  { refuseAddress }: { readonly refuseAddress?: RefuseAddress | undefined } = {},
): void {
  app.route({
    method: spec.method,
    url: spec.path,
    config: { endpoint: spec, refuseAddress },
    handler: async (request, reply) => {
      const answer = await handler({ ...receive(spec, request), ...visitOf(request, reply) } as never)
      return send(spec, reply, answer)
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
  throw refuse('BAD_REQUEST', { details: { fields } })
}

function visitOf(request: FastifyRequest, reply: FastifyReply): object {
  const gone = new AbortController()
  const closed = Promise.withResolvers<void>()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
    closed.resolve()
  })
  return {
    caller: request.caller,
    address: request.clientBlock,
    userAgent: request.headers['user-agent'],
    log: request.log,
    gone: gone.signal,
    closed: closed.promise,
    say: (header: string, value: string) => void reply.header(header, value),
  }
}

function send(spec: EndpointSpec, reply: FastifyReply, answer: unknown): FastifyReply {
  if (!('kind' in spec.reply)) {
    const said = Array.isArray(answer) ? answer : { success: true, ...(answer as object) }
    return reply.send(z.parse(spec.reply, said))
  }
  if (spec.reply.kind === 'bytes') return sendBytes(reply, answer as ByteAnswer)
  return reply.code(spec.method === 'HEAD' ? 200 : 204).send()
}

import { type EndpointSpec, fillPath, type Sent } from '@sallyport/contract/endpoint'
import type * as z from 'zod/mini'

export type ByteBody = Uint8Array<ArrayBuffer> | Blob

type AllSent<E extends EndpointSpec> = Sent<E, ByteBody>
type OptionalPart<Parts> = { [K in keyof Parts]: object extends Parts[K] ? K : never }[keyof Parts]

/** What a call takes: every part the contract names; one in which nothing is required may be left out. */
export type Outgoing<E extends EndpointSpec> = Omit<AllSent<E>, OptionalPart<AllSent<E>>> &
  Partial<Pick<AllSent<E>, OptionalPart<AllSent<E>>>>

/** Turns every field the contract does not name into a type error, so that no key or password slips into a request. */
export type OnlyNamed<Given, Named> = {
  [K in keyof Given]: K extends keyof Named
    ? Given[K] extends ByteBody
      ? Given[K]
      : { [Field in keyof Given[K]]: Field extends keyof NonNullable<Named[K]> ? Given[K][Field] : never }
    : never
}

/** A request that only lacks the bearer token. Plain values, so that it can be handed to a worker. */
export interface PreparedRequest {
  readonly method: EndpointSpec['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | ByteBody
}

type Fields = Readonly<Record<string, unknown>>
type Parts = { readonly params?: Fields; readonly query?: Fields; readonly headers?: Fields; readonly body?: unknown }

/** Writes a call of the contract as a request; what the contract does not name stays behind, whatever the types said. */
export function prepareRequest(endpoint: EndpointSpec, sent: object, baseUrl: string): PreparedRequest {
  const { params, query, headers, body }: Parts = sent
  const path = fillPath(endpoint.path, texts(namedFields(endpoint.params, params)))
  const search = new URLSearchParams(texts(namedFields(endpoint.query, query))).toString()
  return {
    method: endpoint.method,
    url: `${baseUrl}${path}${search && `?${search}`}`,
    headers: { ...texts(namedFields(endpoint.headers, headers)), ...contentType(endpoint) },
    ...(endpoint.body && { body: encodeBody(endpoint.body, body) }),
  }
}

function contentType({ body }: EndpointSpec): Record<string, string> {
  if (!body) return {}
  return { 'content-type': 'kind' in body ? 'application/octet-stream' : 'application/json' }
}

function encodeBody(spec: NonNullable<EndpointSpec['body']>, body: unknown): string | ByteBody {
  if ('kind' in spec) return body as ByteBody
  return JSON.stringify(namedFields(spec, body as Fields))
}

function namedFields(schema: z.ZodMiniType | undefined, values: Fields | undefined): Fields {
  const names = Object.keys((schema as z.ZodMiniObject | undefined)?.shape ?? {})
  return Object.fromEntries(names.filter((name) => values?.[name] !== undefined).map((name) => [name, values?.[name]]))
}

const texts = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

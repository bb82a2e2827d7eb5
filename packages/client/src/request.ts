import { type CallerInput, type EndpointSpec, fillPath } from '@sallyport/contract/endpoint'
import type * as z from 'zod/mini'

export type ByteBody = Uint8Array<ArrayBuffer> | Blob

type AllParts<E extends EndpointSpec> = CallerInput<E, ByteBody>
type OptionalKeys<T> = { [K in keyof T]: object extends T[K] ? K : never }[keyof T]

/** The input of a call: every part the contract names; one without required fields may be omitted. */
export type CallInput<E extends EndpointSpec> = Omit<AllParts<E>, OptionalKeys<AllParts<E>>> &
  Partial<Pick<AllParts<E>, OptionalKeys<AllParts<E>>>>

/** Makes every field the contract does not name a type error, so that no key or password gets into a request. */
export type OnlyNamed<Values, Named> = {
  [K in keyof Values]: K extends keyof Named
    ? Values[K] extends ByteBody
      ? Values[K]
      : { [Field in keyof Values[K]]: Field extends keyof NonNullable<Named[K]> ? Values[K][Field] : never }
    : never
}

/** A request that lacks only the bearer token. It is structured-cloneable, so it can be posted to a worker. */
export interface PreparedRequest {
  readonly method: EndpointSpec['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | ByteBody
}

type Fields = Readonly<Record<string, unknown>>
type CallParts = {
  readonly params?: Fields
  readonly query?: Fields
  readonly headers?: Fields
  readonly body?: unknown
}

/**
 * Builds the request of a call. Fields that the contract does not name are dropped, even if the types were bypassed.
 */
export function prepareRequest(endpoint: EndpointSpec, input: object, baseUrl: string): PreparedRequest {
  const { params, query, headers, body }: CallParts = input
  const path = fillPath(endpoint.path, toStrings(namedFields(endpoint.params, params)))
  const search = new URLSearchParams(toStrings(namedFields(endpoint.query, query))).toString()
  return {
    method: endpoint.method,
    url: `${baseUrl}${path}${search && `?${search}`}`,
    headers: { ...toStrings(namedFields(endpoint.headers, headers)), ...contentType(endpoint) },
    ...(endpoint.body && { body: encodeBody(endpoint.body, body) }),
  }
}

function contentType({ body }: EndpointSpec): Record<string, string> {
  if (!body) return {}
  return { 'content-type': 'kind' in body && body.kind === 'bytes' ? 'application/octet-stream' : 'application/json' }
}

function encodeBody(spec: NonNullable<EndpointSpec['body']>, body: unknown): string | ByteBody {
  if ('kind' in spec) return body as ByteBody
  return JSON.stringify(namedFields(spec, body as Fields))
}

function namedFields(schema: z.ZodMiniType | undefined, values: Fields | undefined): Fields {
  const names = Object.keys(shapeOf(schema))
  return Object.fromEntries(names.filter((name) => values?.[name] !== undefined).map((name) => [name, values?.[name]]))
}

/** The fields of an object, also of one that may be missing. */
function shapeOf(schema: z.ZodMiniType | undefined): object {
  if (schema && isOptional(schema)) return shapeOf(schema.def.innerType)
  return (schema as z.ZodMiniObject | undefined)?.shape ?? {}
}

const isOptional = (schema: z.ZodMiniType): schema is z.ZodMiniOptional<z.ZodMiniType> => schema.def.type === 'optional'

const toStrings = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

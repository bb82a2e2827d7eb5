import { authPrefix } from '@sallyport/contract/auth'
import { authProvider } from '@sallyport/contract/auth-calls'
import type { EndpointSpec } from '@sallyport/contract/endpoint'
import { endpoints } from '@sallyport/contract/interface'
import fc from 'fast-check'
import * as z from 'zod/mini'
import type { RawRequest } from './raw-exchange.ts'
import { valuesOf } from './schema-values.ts'

/** An endpoint of the contract with the path at which it is mounted. */
export interface Route {
  readonly path: string
  readonly spec: EndpointSpec
}

export const routes: readonly Route[] = [
  ...endpoints.map((spec) => ({ path: spec.path, spec })),
  ...Object.values<EndpointSpec>(authProvider).map((spec) => ({ path: authPrefix + spec.path, spec })),
]

export const nameOf = ({ path, spec }: Route): string => `${spec.method} ${path}`

type Fields = Readonly<Record<string, unknown>>

/** A structured request before serialization. */
export interface RequestDraft {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly contentType: string | null
  readonly body: Buffer
  /** The JSON body before serialization. */
  readonly json?: unknown
}

export interface FuzzContext {
  readonly accessToken: string
  /** Values by field name that exist on the server. */
  readonly known: Readonly<Record<string, readonly string[]>>
  /** A body that matches the known values. */
  readonly bytes: Buffer
}

/** Requests that are valid under the contract, most of them with values that exist on the server. */
export function validDrafts(route: Route, { accessToken, known, bytes }: FuzzContext): fc.Arbitrary<RequestDraft> {
  const { spec } = route
  const fieldsOf = (part: EndpointSpec['query']): fc.Arbitrary<Fields> =>
    part ? (valuesOf(part) as fc.Arbitrary<Fields>).chain((fields) => withKnown(fields, known)) : fc.constant({})
  const json = spec.body && !('kind' in spec.body) ? fieldsOf(spec.body) : fc.constant(undefined)
  const stream = fc.oneof(fc.constant(bytes), fc.uint8Array({ maxLength: 200 }).map(Buffer.from))

  return fc
    .record({
      params: fieldsOf(spec.params),
      query: fieldsOf(spec.query),
      headers: fieldsOf(spec.headers),
      json,
      stream: spec.body ? stream : fc.constant(Buffer.alloc(0)),
    })
    .map(({ params, query, headers, json, stream }) => ({
      method: spec.method,
      path: fillPath(route.path, params),
      query: new URLSearchParams(stringValues(query)).toString(),
      headers: [
        ['Authorization', `Bearer ${accessToken}`] as const,
        // The length follows from the body; mutations can set a wrong one.
        ...Object.entries(stringValues(headers))
          .filter(([name]) => name !== 'content-length')
          .map(([name, value]) => [name, headerText(value)] as const),
      ],
      contentType: contentTypeOf(spec),
      body: json === undefined ? stream : Buffer.from(JSON.stringify(json)),
      ...(json !== undefined && { json }),
    }))
}

/** Replaces most field values by known ones. */
function withKnown(fields: Fields, known: FuzzContext['known']): fc.Arbitrary<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => {
    const values = Object.hasOwn(known, name) ? known[name] : undefined
    const choice = values && fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...values) }, fc.constant(value))
    return [name, choice ?? fc.constant(value)] as const
  })
  return fc.record(Object.fromEntries(entries), { noNullPrototype: true })
}

function contentTypeOf({ body }: EndpointSpec): string | null {
  if (!body) return null
  return 'kind' in body && body.kind === 'bytes' ? 'application/octet-stream' : 'application/json'
}

const fillPath = (path: string, params: Fields): string =>
  path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

const stringValues = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )

const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

/** Converts a draft to a raw request. A wrong length comes from the headers of the draft. */
export function toRawRequest({ method, path, query, headers, contentType, body }: RequestDraft): RawRequest {
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: [
      ...(named.has('host') ? [] : [['Host', 'sallyport.test'] as const]),
      ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
      ...(named.has('content-length') || body.length === 0 ? [] : [['Content-Length', String(body.length)] as const]),
      ['Connection', 'close'] as const,
      ...headers,
    ],
    body,
  }
}

/** The path of a request, whose target can be an absolute URL. */
export const pathOf = ({ path }: Pick<RequestDraft, 'path'>): string => path.replace(/^http:\/\/[^/]*/, '')

/** Matches only paths that are written exactly as in the contract. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[a-zA-Z]+/g, '([^/?#]+)')}$`)

/** Whether a request is valid under the contract; only then can it succeed. */
export function isValid(draft: RequestDraft, accessToken: string): boolean {
  const path = pathOf(draft)
  const route = routes.find((one) => one.spec.method === draft.method && patternOf(one.path).test(path))
  const needsAccount = route?.spec.access === 'account' || route?.spec.access === 'admin'
  if (!route || (needsAccount && !isSignedIn(draft, accessToken))) return false
  const { spec } = route
  const names = [...route.path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name)
  const values = patternOf(route.path).exec(path)?.slice(1) ?? []
  const params = Object.fromEntries(names.map((name, index) => [name, decodeSafely(values[index] ?? '')]))
  const headers = Object.fromEntries(draft.headers.map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const query = Object.fromEntries(new URLSearchParams(draft.query))
  return (
    matches(spec.params, params) &&
    matches(spec.query, query) &&
    matches(spec.headers, headers) &&
    matchesBody(spec, draft)
  )
}

const isSignedIn = ({ headers }: RequestDraft, accessToken: string): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'authorization' && value === `Bearer ${accessToken}`)

const matches = (part: z.ZodMiniType | undefined, value: unknown): boolean => !part || z.safeParse(part, value).success

function matchesBody({ body }: EndpointSpec, draft: RequestDraft): boolean {
  if (!body) return true
  // Only the provider can sign one.
  if ('kind' in body && body.kind === 'raw') return false
  if ('kind' in body) return draft.contentType?.startsWith('application/octet-stream') === true
  try {
    return (
      /^application\/json\b/i.test(draft.contentType ?? '') && matches(body, JSON.parse(draft.body.toString('utf8')))
    )
  } catch {
    return false
  }
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import { authPrefix } from '@sallyport/contract/auth'
import { authProvider } from '@sallyport/contract/auth-calls'
import type { EndpointSpec } from '@sallyport/contract/endpoint'
import { endpoints } from '@sallyport/contract/interface'
import fc from 'fast-check'
import * as z from 'zod/mini'
import type { RawRequest } from './raw-exchange.ts'
import { valuesOf } from './schema-values.ts'

/** Something that can be called: a value of the contract under the path it is mounted at. */
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

/** A request in parts, before it becomes bytes. */
export interface Draft {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly contentType: string | null
  readonly body: Buffer
  /** A JSON body while it is still a value. */
  readonly json?: unknown
}

export interface Surroundings {
  readonly accessToken: string
  /** Under the name of a field, values that mean something to the server. */
  readonly known: Readonly<Record<string, readonly string[]>>
  /** A body that belongs to the known values. */
  readonly bytes: Buffer
}

/** Requests the contract has nothing against, most of them about things that are really there. */
export function soundDrafts(route: Route, { accessToken, known, bytes }: Surroundings): fc.Arbitrary<Draft> {
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
      path: fill(route.path, params),
      query: new URLSearchParams(texts(query)).toString(),
      headers: [
        ['Authorization', `Bearer ${accessToken}`] as const,
        // The length follows from the body; wrong ones are the business of whoever spoils a request.
        ...Object.entries(texts(headers))
          .filter(([name]) => name !== 'content-length')
          .map(([name, value]) => [name, headerText(value)] as const),
      ],
      contentType: contentTypeOf(spec),
      body: json === undefined ? stream : Buffer.from(JSON.stringify(json)),
      ...(json !== undefined && { json }),
    }))
}

/** Puts known values into most of the fields that have some. */
function withKnown(fields: Fields, known: Surroundings['known']): fc.Arbitrary<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => {
    const values = Object.hasOwn(known, name) ? known[name] : undefined
    const choice = values && fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...values) }, fc.constant(value))
    return [name, choice ?? fc.constant(value)] as const
  })
  return fc.record(Object.fromEntries(entries), { noNullPrototype: true })
}

function contentTypeOf({ body }: EndpointSpec): string | null {
  if (!body) return null
  return 'kind' in body ? 'application/octet-stream' : 'application/json'
}

const fill = (path: string, params: Fields): string =>
  path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

const texts = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )

const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

/** The bytes that go over the wire. A length that is wrong or missing is written in by hand among the headers. */
export function asRequest({ method, path, query, headers, contentType, body }: Draft): RawRequest {
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

/** A request may name the whole address in place of the path. */
export const pathOf = ({ path }: Pick<Draft, 'path'>): string => path.replace(/^http:\/\/[^/]*/, '')

/** Whatever is not written exactly as the contract has it reaches no route. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[a-zA-Z]+/g, '([^/?#]+)')}$`)

/** Whether the contract has nothing against a request: only then may it be granted. */
export function isSound(draft: Draft, accessToken: string): boolean {
  const path = pathOf(draft)
  const route = routes.find((one) => one.spec.method === draft.method && patternOf(one.path).test(path))
  if (!route || (route.spec.access === 'account' && !isSignedIn(draft, accessToken))) return false
  const { spec } = route
  const names = [...route.path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name)
  const values = patternOf(route.path).exec(path)?.slice(1) ?? []
  const params = Object.fromEntries(names.map((name, place) => [name, decoded(values[place] ?? '')]))
  const headers = Object.fromEntries(draft.headers.map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const query = Object.fromEntries(new URLSearchParams(draft.query))
  return fits(spec.params, params) && fits(spec.query, query) && fits(spec.headers, headers) && fitsBody(spec, draft)
}

const isSignedIn = ({ headers }: Draft, accessToken: string): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'authorization' && value === `Bearer ${accessToken}`)

const fits = (part: z.ZodMiniType | undefined, value: unknown): boolean => !part || z.safeParse(part, value).success

function fitsBody({ body }: EndpointSpec, draft: Draft): boolean {
  if (!body) return true
  if ('kind' in body) return draft.contentType?.startsWith('application/octet-stream') === true
  try {
    return /^application\/json\b/i.test(draft.contentType ?? '') && fits(body, JSON.parse(draft.body.toString('utf8')))
  } catch {
    return false
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

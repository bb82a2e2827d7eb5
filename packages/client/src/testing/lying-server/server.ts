import type * as z from 'zod/v4/core'
import { safeParse } from 'zod/v4/core'
import { tellBytes } from './byte-lies.ts'
import { type Called, calledEndpoint } from './called-endpoint.ts'
import { type KnownLie, type Lie, type Told, tell } from './lies.ts'
import { createSeenValues, type SeenValues } from './seen-values.ts'
import { createTranscript, type Transcript } from './transcript.ts'

export type Fetch = typeof globalThis.fetch

/** One request as an honest server reads it. */
export interface ServerRequest extends Called {
  readonly url: URL
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The body of a request that carries JSON; an empty object for any other. */
  readonly json: Record<string, unknown>
}

export interface LyingServer {
  readonly origin: string
  readonly fetch: Fetch
  readonly transcript: Transcript
  readonly seen: SeenValues
  /** The calls of the contract that were made. */
  readonly calls: Set<string>
  readonly lies: readonly (Lie | KnownLie)[]
}

interface LyingServerInput {
  readonly honest: (request: ServerRequest) => unknown
  readonly lies: readonly (Lie | KnownLie)[]
}

export const origin = 'https://files.example'

/**
 * A server behind `fetch` that answers honestly but for the given lies, all of which the contract allows. It remembers
 * what it received and what it chose.
 */
export function createLyingServer({ honest, lies }: LyingServerInput): LyingServer {
  const transcript = createTranscript()
  const seen = createSeenValues()
  const blobs: Uint8Array<ArrayBuffer>[] = []
  const answers = new Map<string, unknown[]>()
  const calls = new Set<string>()

  async function read(url: URL, init: RequestInit): Promise<ServerRequest> {
    const headers = new Headers(init.headers)
    const bytes = new Uint8Array(await new Response(init.body ?? null).arrayBuffer())
    const isJson = headers.get('content-type')?.startsWith('application/json') === true
    const json = isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : {}
    transcript.requested(url.href)
    transcript.received(bytes)
    for (const [name, value] of headers) transcript.received(`${name}: ${value}`)
    seen.add({ ...Object.fromEntries(headers), ...json })
    if (!isJson && bytes.length > 0) blobs.push(bytes)
    return { ...calledEndpoint(init.method ?? 'GET', url.pathname), url, headers, bytes, json }
  }

  async function answer(request: ServerRequest): Promise<Response> {
    const { name, endpoint } = request
    calls.add(name)
    const earlier = answers.get(name) ?? []
    const lie = lies.find(({ call, nth }) => call === name && (nth === 'every' || nth === earlier.length))
    const honestly = await honest(request)
    if (honestly instanceof Response) {
      answers.set(name, [...earlier, null])
      return lie && 'kind' in lie ? tellBytes(lie, honestly, { seen, blobs }) : honestly
    }
    if ('kind' in endpoint.reply) return new Response(null, { status: 204 })
    const schema = endpoint.reply as z.$ZodType
    const checked = safeParse(schema, honestly)
    if (!checked.success) throw new Error(`The honest answer to ${name} breaks the contract`, { cause: checked.error })
    answers.set(name, [...earlier, honestly])
    seen.add(honestly)
    const told = toldBy(lie, { schema, honest: honestly, seen, earlier })
    if ('refusal' in told) return Response.json(told.refusal.body, { status: told.refusal.status })
    return Response.json(told.body)
  }

  return {
    origin,
    transcript,
    seen,
    calls,
    lies,
    fetch: async (input, init = {}) => {
      init.signal?.throwIfAborted()
      const url = new URL(input instanceof Request ? input.url : String(input), origin)
      if (url.origin !== origin) {
        transcript.requested(url.href)
        throw new TypeError('fetch failed')
      }
      const response = await answer(await read(url, init))
      const bytes = new Uint8Array(await response.arrayBuffer())
      transcript.chose(bytes)
      for (const [name, value] of response.headers) transcript.chose(`${name}: ${value}`)
      const isEmpty = response.status === 204 || init.method === 'HEAD'
      return new Response(isEmpty ? null : bytes, { status: response.status, headers: response.headers })
    },
  }
}

function toldBy(lie: Lie | KnownLie | undefined, truth: Parameters<typeof tell>[1]): Told {
  if (lie && 'kind' in lie) return tell(lie, truth)
  const { schema, honest, seen } = truth
  const body = lie ? lie.change(honest as never, seen) : honest
  if (!safeParse(schema, body).success) throw new Error(`A known lie breaks the contract`)
  return { body }
}

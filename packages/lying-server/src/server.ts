import type * as z from 'zod/v4/core'
import { safeParse } from 'zod/v4/core'
import { applyBinaryLie } from './byte-lies.ts'
import { findCall, type MatchedCall } from './called-endpoint.ts'
import { applyLie, type KnownLie, type Lie, type LyingAnswer } from './lies.ts'
import { createSeenValues, type SeenValues } from './seen-values.ts'
import { createTranscript, type Transcript } from './transcript.ts'

export type Fetch = typeof globalThis.fetch

/** A request as parsed by an honest server. */
export interface ServerRequest extends MatchedCall {
  readonly url: URL
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The parsed JSON body; an empty object for other requests. */
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
 * A server behind `fetch` that answers honestly except for the given lies, all of which the contract allows. It records
 * everything it receives and sends.
 */
export function createLyingServer({ honest, lies }: LyingServerInput): LyingServer {
  const transcript = createTranscript()
  const seen = createSeenValues()
  const blobs: Uint8Array<ArrayBuffer>[] = []
  const answers = new Map<string, unknown[]>()
  const calls = new Set<string>()

  async function parseRequest(url: URL, init: RequestInit): Promise<ServerRequest> {
    const headers = new Headers(init.headers)
    const bytes = new Uint8Array(await new Response(init.body ?? null).arrayBuffer())
    const isJson = headers.get('content-type')?.startsWith('application/json') === true
    const json = isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : {}
    transcript.requested(url.href)
    transcript.received(bytes)
    for (const [name, value] of headers) transcript.received(`${name}: ${value}`)
    seen.add({ ...Object.fromEntries(headers), ...json })
    if (!isJson && bytes.length > 0) blobs.push(bytes)
    return { ...findCall(init.method ?? 'GET', url.pathname), url, headers, bytes, json }
  }

  async function answer(request: ServerRequest): Promise<Response> {
    const { name, endpoint } = request
    calls.add(name)
    const earlier = answers.get(name) ?? []
    const lie = lies.find(({ call, nth }) => call === name && (nth === 'every' || nth === earlier.length))
    const honestAnswer = await honest(request)
    if (honestAnswer instanceof Response) {
      answers.set(name, [...earlier, null])
      return lie && 'kind' in lie ? applyBinaryLie(lie, honestAnswer, { seen, blobs }) : honestAnswer
    }
    if ('kind' in endpoint.reply) return new Response(null, { status: 204 })
    const schema = endpoint.reply as z.$ZodType
    const checked = safeParse(schema, honestAnswer)
    if (!checked.success)
      throw new Error(`The honest answer to ${name} violates the contract`, { cause: checked.error })
    answers.set(name, [...earlier, honestAnswer])
    seen.add(honestAnswer)
    const lyingAnswer = applyAnyLie(lie, { schema, honest: honestAnswer, seen, earlier })
    if ('rejection' in lyingAnswer)
      return Response.json(lyingAnswer.rejection.body, { status: lyingAnswer.rejection.status })
    return Response.json(lyingAnswer.body)
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
      const response = await answer(await parseRequest(url, init))
      const bytes = new Uint8Array(await response.arrayBuffer())
      transcript.sent(bytes)
      for (const [name, value] of response.headers) transcript.sent(`${name}: ${value}`)
      const isEmpty = response.status === 204 || init.method === 'HEAD'
      return new Response(isEmpty ? null : bytes, { status: response.status, headers: response.headers })
    },
  }
}

function applyAnyLie(lie: Lie | KnownLie | undefined, honestAnswer: Parameters<typeof applyLie>[1]): LyingAnswer {
  if (lie && 'kind' in lie) return applyLie(lie, honestAnswer)
  const { schema, honest, seen } = honestAnswer
  const body = lie ? lie.change(honest as never, seen) : honest
  if (!safeParse(schema, body).success) throw new Error(`A known lie violates the contract`)
  return { body }
}

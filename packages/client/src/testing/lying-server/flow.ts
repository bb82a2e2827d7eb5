import type fc from 'fast-check'
import { type KnownLie, type Lie, liesAbout } from './lies.ts'
import { createLyingServer, type LyingServer, origin, type ServerRequest } from './server.ts'

/** What a client did against one server, once it has ended. */
export interface Outcome {
  /** Secrets of the client by name; none may occur in what the server received or chose. */
  readonly secrets: Readonly<Record<string, string | Uint8Array>>
  /** What the client took for true although it is not: each entry is one violation, in a sentence. */
  readonly violations: readonly string[]
  /** Whether the client reached the end of the flow; an honest server never keeps it from that. */
  readonly isComplete: boolean
}

export interface Report extends Outcome {
  readonly server: Pick<LyingServer, 'transcript' | 'calls'>
}

/** Something a person does, from the first call to the last, against a server that may lie. */
export interface Flow<Case> {
  readonly name: string
  /** What it asks of an honest server and hears from it, by the names of `contract-calls.ts`. */
  readonly calls: readonly string[]
  readonly cases: fc.Arbitrary<Case>
  /** The case in which the server is honest. */
  readonly honest: Case
  /** Cases that are always run, beside those that are drawn. */
  readonly known?: readonly Case[]
  readonly run: (given: Case) => Promise<Report>
}

interface RequestFlow {
  readonly name: string
  readonly calls: readonly string[]
  /** A new honest server for each case. */
  readonly serve: () => (request: ServerRequest) => unknown
  readonly knownLies?: readonly KnownLie[]
  readonly run: (server: LyingServer) => Promise<Outcome>
}

/** A flow of requests: the server lies in the answer to one or two of them. */
export function requestFlow(flow: RequestFlow): Flow<readonly (Lie | KnownLie)[]> {
  const { name, calls, serve, knownLies = [], run } = flow
  return {
    name,
    calls,
    cases: liesAbout(calls),
    honest: [],
    known: knownLies.map((lie) => [lie]),
    async run(lies) {
      const server = createLyingServer({ honest: serve(), lies })
      return { ...(await run(server)), server }
    },
  }
}

/** Every promise that was broken. */
export function violationsIn({ server, secrets, violations }: Report): readonly string[] {
  const { urls, occurrenceOf } = server.transcript
  const leaks = Object.entries(secrets).flatMap(([name, secret]) => {
    const form = occurrenceOf(secret)
    return form === null ? [] : [`the server has ${name} as ${form}`]
  })
  const isForeign = (url: string) => new URL(url).host !== new URL(origin).host
  return [...violations, ...leaks, ...urls.filter(isForeign).map((url) => `the client called ${url}`)]
}

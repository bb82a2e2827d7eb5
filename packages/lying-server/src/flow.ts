import type fc from 'fast-check'
import { type KnownLie, type Lie, liesAbout } from './lies.ts'
import { createLyingServer, type LyingServer, origin, type ServerRequest } from './server.ts'

/** The outcome of running a client against one server. */
export interface FlowOutcome {
  /** Secrets of the client by name. None may occur in the data that the server received or sent. */
  readonly secrets: Readonly<Record<string, string | Uint8Array>>
  /** False statements that the client accepted, one sentence each. */
  readonly violations: readonly string[]
  /** Whether the client completed the flow. It always does with an honest server. */
  readonly isComplete: boolean
}

export interface FlowReport extends FlowOutcome {
  readonly server: Pick<LyingServer, 'transcript' | 'calls'>
}

/** A complete user flow against a server that may lie. */
export interface Flow<Case> {
  readonly name: string
  /** The calls and messages that it exchanges with an honest server, as named in `covered-calls.ts`. */
  readonly calls: readonly string[]
  readonly cases: fc.Arbitrary<Case>
  /** The case in which the server is honest. */
  readonly honest: Case
  /** Cases that always run in addition to the generated ones. */
  readonly fixedCases?: readonly Case[]
  readonly run: (flowCase: Case) => Promise<FlowReport>
}

interface RequestFlowInput {
  readonly name: string
  readonly calls: readonly string[]
  /** A new honest server for each case. */
  readonly serve: () => (request: ServerRequest) => unknown
  readonly knownLies?: readonly KnownLie[]
  readonly run: (server: LyingServer) => Promise<FlowOutcome>
}

/** A flow of requests: the server falsifies the answer to one or two of them. */
export function requestFlow(flow: RequestFlowInput): Flow<readonly (Lie | KnownLie)[]> {
  const { name, calls, serve, knownLies = [], run } = flow
  return {
    name,
    calls,
    cases: liesAbout(calls),
    honest: [],
    fixedCases: knownLies.map((lie) => [lie]),
    async run(lies) {
      const server = createLyingServer({ honest: serve(), lies })
      return { ...(await run(server)), server }
    },
  }
}

/** Every violated guarantee. */
export function violationsOf({ server, secrets, violations }: FlowReport): readonly string[] {
  const { urls, occurrenceOf } = server.transcript
  const leaks = Object.entries(secrets).flatMap(([name, secret]) => {
    const encoding = occurrenceOf(secret)
    return encoding === null ? [] : [`the server has ${name} as ${encoding}`]
  })
  const isForeign = (url: string) => new URL(url).host !== new URL(origin).host
  return [...violations, ...leaks, ...urls.filter(isForeign).map((url) => `the client called ${url}`)]
}

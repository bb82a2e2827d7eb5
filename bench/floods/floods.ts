import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Finding, judge, keep } from '../findings.ts'
import { residentBytes, watchPeak } from '../processes.ts'
import { startServer } from '../server.ts'
import { percentile } from '../spread.ts'
import { table } from '../table.ts'
import type { Wishes } from '../wishes.ts'
import { attacks } from './attacks.ts'
import type { Observed, Operation } from './people.process.ts'

const quietSeconds = 30
const floodSeconds = 60
const attackerPriority = 10
const peopleProcess = fileURLToPath(new URL('./people.process.ts', import.meta.url))
const attackerProcess = fileURLToPath(new URL('./attacker.process.ts', import.meta.url))
const operations: readonly Operation[] = ['sign in', 'write', 'send', 'fetch']

interface FloodResult {
  readonly name: string
  readonly quiet: Observed
  readonly flooded: Observed
  readonly peakBytes: number
  readonly hasSurvived: boolean
}

/** Each flood for a minute beside ten ordinary people: what they notice of it, and the server's memory. */
export async function measureFloods({ floods }: Wishes): Promise<Finding[]> {
  const results: FloodResult[] = []
  for (const name of floods.length > 0 ? floods : Object.keys(attacks)) {
    process.stderr.write(`  ${name}\n`)
    results.push(await flood(name))
  }
  keep('floods', { results })
  printResults(results)
  return results.flatMap(judgeFlood)
}

async function flood(name: string): Promise<FloodResult> {
  const server = await startServer({ socketsPerAccount: null })
  const people = fork(peopleProcess)
  const attacker = fork(attackerProcess)
  // Attackers have processors of their own elsewhere; here they would take them from the people and the server.
  setPriority(attacker.pid ?? 0, attackerPriority)
  try {
    await ask(people, { url: server.url })
    await ask(attacker, { name, url: server.url })
    const quiet = (await ask(people, { seconds: quietSeconds })) as Observed
    const peak = watchPeak(() => residentBytes(server.processId))
    attacker.send('start')
    const flooded = (await ask(people, { seconds: floodSeconds })) as Observed
    const hasSurvived = residentBytes(server.processId) > 0
    return { name, quiet, flooded, peakBytes: peak(), hasSurvived }
  } finally {
    attacker.kill('SIGKILL')
    people.kill('SIGKILL')
    await server.stop()
  }
}

async function ask(child: ChildProcess, message: object): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(message)
  return (await answered)[0]
}

const slowest = ({ times }: Observed, operation: Operation): number => percentile(times[operation], 0.99)

function judgeFlood({ name, quiet, flooded, peakBytes, hasSurvived }: FloodResult): Finding[] {
  const ratios = operations.map((operation) => slowest(flooded, operation) / slowest(quiet, operation))
  return [
    judge({
      id: 'F1',
      measure: `${name}: errors that ten people see in ${floodSeconds} s`,
      value: flooded.errors.length + (hasSurvived ? 0 : 1),
      digits: 0,
      aim: { atMost: 0 },
    }),
    judge({
      id: 'F2',
      measure: `${name}: their p99 ÷ quiet, the worst of ${operations.join(', ')}`,
      value: Math.max(...ratios.map((ratio) => (Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio))),
      digits: 1,
      aim: { atMost: 5 },
    }),
    judge({
      id: 'F3',
      measure: `${name}: memory of the server at most`,
      value: peakBytes / 1e6,
      digits: 0,
      unit: 'MB',
      aim: { atMost: 400 },
    }),
  ]
}

function printResults(results: readonly FloodResult[]): void {
  const rows = results.map(({ name, quiet, flooded, peakBytes }) => [
    name,
    ...operations.map(
      (operation) => `${slowest(quiet, operation).toFixed(0)} / ${slowest(flooded, operation).toFixed(0)}`,
    ),
    String(flooded.errors.length),
    (peakBytes / 1e6).toFixed(0),
  ])
  console.log(`\np99 in ms, quiet / flooded\n\n${table([['', ...operations, 'errors', 'peak MB'], ...rows])}\n`)
  for (const { name, flooded } of results)
    for (const error of new Set(flooded.errors.slice(0, 5))) console.log(`${name}: ${error}`)
}

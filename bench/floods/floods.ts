import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { countDescriptors, residentBytes, watchPeak } from '../lib/processes.ts'
import { startServer } from '../lib/server.ts'
import { percentile } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import { attacks } from './attacks.ts'
import type { Observations, Operation } from './users.process.ts'

const baselineSeconds = 30
/** The niceness of the attacker. Real attackers have processors of their own and do not starve the users and the server. */
const niceness = { lower: 10, same: 0 }
const usersProcess = fileURLToPath(new URL('./users.process.ts', import.meta.url))
const attackerProcess = fileURLToPath(new URL('./attacker.process.ts', import.meta.url))
const operations: readonly Operation[] = ['sign in', 'write', 'send', 'fetch']

interface FloodResult {
  readonly name: string
  readonly baseline: Observations
  readonly flooded: Observations
  readonly peakBytes: number
  readonly peakDescriptors: number
  readonly isAlive: boolean
}

/** Runs each flood next to 10 ordinary users; measures their latency and errors, and the server's memory. */
export async function measureFloods(options: BenchOptions): Promise<Finding[]> {
  const results: FloodResult[] = []
  const priorities = options.attackerPriority === 'both' ? (['lower', 'same'] as const) : [options.attackerPriority]
  for (const attack of options.floods.length > 0 ? options.floods : Object.keys(attacks)) {
    let baseline: Observations | undefined
    for (const priority of priorities) {
      process.stderr.write(`  ${attack}, attacker at ${priority} priority\n`)
      const result = await runFlood({ attack, priority, seconds: options.floodSeconds, baseline })
      baseline = result.baseline
      results.push(result)
    }
  }
  saveResults('floods', { results })
  printResults(results)
  return results.flatMap((result) => judgeFlood(result, options.floodSeconds))
}

interface FloodInput {
  readonly attack: string
  readonly priority: keyof typeof niceness
  readonly seconds: number
  /** What has been observed without the flood; observed first if it is undefined. */
  readonly baseline: Observations | undefined
}

async function runFlood({ attack, priority, seconds, baseline }: FloodInput): Promise<FloodResult> {
  const name = priority === 'lower' ? attack : `${attack}, same priority`
  const server = await startServer({ socketsPerAccount: null })
  const users = fork(usersProcess)
  const attacker = fork(attackerProcess)
  setPriority(attacker.pid ?? 0, niceness[priority])
  try {
    await request(users, { url: server.url })
    await request(attacker, { name: attack, url: server.url })
    const quiet = baseline ?? ((await request(users, { seconds: baselineSeconds })) as Observations)
    const peak = watchPeak(() => residentBytes(server.processId))
    const peakDescriptors = watchPeak(() => countDescriptors(server.processId))
    attacker.send('start')
    const flooded = (await request(users, { seconds })) as Observations
    const isAlive = residentBytes(server.processId) > 0
    return { name, baseline: quiet, flooded, peakBytes: peak(), peakDescriptors: peakDescriptors(), isAlive }
  } finally {
    attacker.kill('SIGKILL')
    users.kill('SIGKILL')
    await server.stop()
  }
}

async function request(child: ChildProcess, message: object): Promise<unknown> {
  const replied = once(child, 'message')
  child.send(message)
  return (await replied)[0]
}

const p99 = ({ times }: Observations, operation: Operation): number => percentile(times[operation], 0.99)

function judgeFlood(
  { name, baseline, flooded, peakBytes, peakDescriptors, isAlive }: FloodResult,
  seconds: number,
): Finding[] {
  const ratios = operations.map((operation) => p99(flooded, operation) / p99(baseline, operation))
  return [
    judge({
      id: 'F1',
      measure: `${name}: errors of 10 users in ${seconds} s`,
      value: flooded.errors.length + (isAlive ? 0 : 1),
      decimals: 0,
      target: { atMost: 0 },
    }),
    judge({
      id: 'F2',
      measure: `${name}: p99 of users ÷ quiet, maximum over ${operations.join(', ')}`,
      value: Math.max(...ratios.map((ratio) => (Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio))),
      decimals: 1,
      target: { atMost: 5 },
    }),
    judge({
      id: 'F3',
      measure: `${name}: peak memory of the server`,
      value: peakBytes / 1e6,
      decimals: 0,
      unit: 'MB',
      target: { atMost: 400 },
    }),
    judge({
      id: 'F4',
      measure: `${name}: peak number of descriptors of the server`,
      value: peakDescriptors,
      decimals: 0,
      target: { atMost: 2000 },
    }),
  ]
}

function printResults(results: readonly FloodResult[]): void {
  const rows = results.map(({ name, baseline, flooded, peakBytes, peakDescriptors }) => [
    name,
    ...operations.map((operation) => `${p99(baseline, operation).toFixed(0)} / ${p99(flooded, operation).toFixed(0)}`),
    String(flooded.errors.length),
    (peakBytes / 1e6).toFixed(0),
    String(peakDescriptors),
  ])
  console.log(
    `\np99 in ms, quiet / flooded\n\n${table([['', ...operations, 'errors', 'peak MB', 'descriptors'], ...rows])}\n`,
  )
  for (const { name, flooded } of results)
    for (const error of new Set(flooded.errors.slice(0, 5))) console.log(`${name}: ${error}`)
}

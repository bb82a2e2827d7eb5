import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { residentBytes, watchPeak } from '../lib/processes.ts'
import { startServer } from '../lib/server.ts'
import { percentile } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import { attacks } from './attacks.ts'
import type { Observations, Operation } from './users.process.ts'

const baselineSeconds = 30
const floodSeconds = 60
const attackerPriority = 10
const usersProcess = fileURLToPath(new URL('./users.process.ts', import.meta.url))
const attackerProcess = fileURLToPath(new URL('./attacker.process.ts', import.meta.url))
const operations: readonly Operation[] = ['sign in', 'write', 'send', 'fetch']

interface FloodResult {
  readonly name: string
  readonly baseline: Observations
  readonly flooded: Observations
  readonly peakBytes: number
  readonly isAlive: boolean
}

/** Runs each flood for a minute next to 10 ordinary users; measures their latency and errors, and the server's memory. */
export async function measureFloods({ floods }: BenchOptions): Promise<Finding[]> {
  const results: FloodResult[] = []
  for (const name of floods.length > 0 ? floods : Object.keys(attacks)) {
    process.stderr.write(`  ${name}\n`)
    results.push(await runFlood(name))
  }
  saveResults('floods', { results })
  printResults(results)
  return results.flatMap(judgeFlood)
}

async function runFlood(name: string): Promise<FloodResult> {
  const server = await startServer({ socketsPerAccount: null })
  const users = fork(usersProcess)
  const attacker = fork(attackerProcess)
  // Real attackers have their own processors; the lower priority keeps them from starving the users and the server.
  setPriority(attacker.pid ?? 0, attackerPriority)
  try {
    await request(users, { url: server.url })
    await request(attacker, { name, url: server.url })
    const baseline = (await request(users, { seconds: baselineSeconds })) as Observations
    const peak = watchPeak(() => residentBytes(server.processId))
    attacker.send('start')
    const flooded = (await request(users, { seconds: floodSeconds })) as Observations
    const isAlive = residentBytes(server.processId) > 0
    return { name, baseline, flooded, peakBytes: peak(), isAlive }
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

function judgeFlood({ name, baseline, flooded, peakBytes, isAlive }: FloodResult): Finding[] {
  const ratios = operations.map((operation) => p99(flooded, operation) / p99(baseline, operation))
  return [
    judge({
      id: 'F1',
      measure: `${name}: errors of 10 users in ${floodSeconds} s`,
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
  ]
}

function printResults(results: readonly FloodResult[]): void {
  const rows = results.map(({ name, baseline, flooded, peakBytes }) => [
    name,
    ...operations.map((operation) => `${p99(baseline, operation).toFixed(0)} / ${p99(flooded, operation).toFixed(0)}`),
    String(flooded.errors.length),
    (peakBytes / 1e6).toFixed(0),
  ])
  console.log(`\np99 in ms, quiet / flooded\n\n${table([['', ...operations, 'errors', 'peak MB'], ...rows])}\n`)
  for (const { name, flooded } of results)
    for (const error of new Set(flooded.errors.slice(0, 5))) console.log(`${name}: ${error}`)
}

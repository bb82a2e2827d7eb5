import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, cpuSecondsOfMachine, cpuSecondsOfTree, residentBytes, watchPeak } from './processes.ts'

export interface Watched {
  readonly serverId: number
  /** The browser, or whatever program is on the other side. */
  readonly clientId?: number
  /** Memory of the other side. */
  readonly clientBytes?: () => number
}

export interface Run {
  readonly seconds: number
  readonly serverCpuSeconds: number
  readonly serverPeakBytes: number
  readonly clientCpuSeconds: number
  readonly clientPeakBytes: number
  /** Processors that were busy with something else meanwhile. */
  readonly othersBusy: number
}

/** Runs a transfer that tells how many seconds it took, and sees what it costs. */
export async function measure(watched: Watched, transfer: () => Promise<number>): Promise<Run> {
  const { serverId, clientId, clientBytes = () => 0 } = watched
  const client = () => (clientId === undefined ? 0 : cpuSecondsOfTree(clientId))
  const own = () => cpuSeconds(process.pid)
  const before = { server: cpuSecondsOfTree(serverId), client: client(), own: own(), machine: cpuSecondsOfMachine() }
  const startedAt = performance.now()
  const serverPeak = watchPeak(() => residentBytes(serverId))
  const clientPeak = watchPeak(clientBytes)

  const seconds = await transfer()

  const elapsed = (performance.now() - startedAt) / 1000
  const serverCpuSeconds = cpuSecondsOfTree(serverId) - before.server
  const clientCpuSeconds = client() - before.client
  const known = serverCpuSeconds + clientCpuSeconds + own() - before.own
  return {
    seconds,
    serverCpuSeconds,
    serverPeakBytes: serverPeak(),
    clientCpuSeconds,
    clientPeakBytes: clientPeak(),
    othersBusy: Math.max(0, (cpuSecondsOfMachine() - before.machine - known) / elapsed),
  }
}

const quietBelow = 0.15
const lookForMs = 500

/** Waits until next to nothing runs on this machine, though no longer than so many seconds. */
async function waitForQuiet(patience: number): Promise<void> {
  for (let waited = 0; waited < patience * 1000; waited += lookForMs) {
    const before = cpuSecondsOfMachine()
    await pause(lookForMs)
    if ((cpuSecondsOfMachine() - before) / (lookForMs / 1000) < quietBelow) return
  }
}

interface Side {
  readonly name: string
  run(): Promise<Run>
}

interface Turns {
  readonly rounds: number
  readonly patience: number
}

/** The runs of each side by its name: all sides once to warm up, which does not count, then in turn. */
export async function alternate(
  sides: readonly Side[],
  { rounds, patience }: Turns,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const runs = new Map<string, Run[]>(sides.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of sides) {
      await waitForQuiet(patience)
      const result = await run()
      if (round > 0) runs.get(name)?.push(result)
      process.stderr.write(
        `  ${round === 0 ? 'warming up' : `round ${round}`}: ${name}, ${result.seconds.toFixed(2)} s\n`,
      )
    }
  }
  return runs
}

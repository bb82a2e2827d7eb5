import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from './devtools.ts'
import {
  cpuSeconds,
  cpuSecondsOfMachine,
  cpuSecondsOfTree,
  largestRendererBytes,
  residentBytes,
  watchPeak,
} from './processes.ts'

export interface MeasuredProcesses {
  readonly serverId: number
  /** Process id of the browser or of another client. */
  readonly clientId?: number
  /** Returns the memory of the client in bytes. */
  readonly clientBytes?: () => number
}

export interface Run {
  readonly seconds: number
  readonly serverCpuSeconds: number
  readonly serverPeakBytes: number
  readonly clientCpuSeconds: number
  readonly clientPeakBytes: number
  /** Average number of processors that other processes kept busy during the run. */
  readonly othersBusy: number
}

/** Runs a transfer, which resolves to its seconds, and measures its CPU time and memory. */
export async function measure(processes: MeasuredProcesses, transfer: () => Promise<number>): Promise<Run> {
  const { serverId, clientId, clientBytes = () => 0 } = processes
  const client = () => (clientId === undefined ? 0 : cpuSecondsOfTree(clientId))
  const ownCpu = () => cpuSeconds(process.pid)
  const before = { server: cpuSecondsOfTree(serverId), client: client(), own: ownCpu(), machine: cpuSecondsOfMachine() }
  const startedAt = performance.now()
  const serverPeak = watchPeak(() => residentBytes(serverId))
  const clientPeak = watchPeak(clientBytes)

  const seconds = await transfer()

  const elapsed = (performance.now() - startedAt) / 1000
  const serverCpuSeconds = cpuSecondsOfTree(serverId) - before.server
  const clientCpuSeconds = client() - before.client
  const known = serverCpuSeconds + clientCpuSeconds + ownCpu() - before.own
  return {
    seconds,
    serverCpuSeconds,
    serverPeakBytes: serverPeak(),
    clientCpuSeconds,
    clientPeakBytes: clientPeak(),
    othersBusy: Math.max(0, (cpuSecondsOfMachine() - before.machine - known) / elapsed),
  }
}

/** The same for a transfer in a browser, with the memory of its largest page. */
export const measureBrowser = (
  serverId: number,
  { processId: clientId }: Pick<Browser, 'processId'>,
  transfer: () => Promise<number>,
): Promise<Run> => measure({ serverId, clientId, clientBytes: () => largestRendererBytes(clientId) }, transfer)

const idleLoad = 0.15
const idleSampleMs = 500

/** Waits until the machine is almost idle, at most `patience` seconds. */
async function waitForIdle(maxWaitSeconds: number): Promise<void> {
  for (let waited = 0; waited < maxWaitSeconds * 1000; waited += idleSampleMs) {
    const before = cpuSecondsOfMachine()
    await pause(idleSampleMs)
    if ((cpuSecondsOfMachine() - before) / (idleSampleMs / 1000) < idleLoad) return
  }
}

interface ComparedSide {
  readonly name: string
  run(): Promise<Run>
}

interface AlternateOptions {
  readonly rounds: number
  readonly maxWaitSeconds: number
}

/** Runs all sides once to warm up, then alternates between them; returns the runs of each side by its name. */
export async function alternate(
  sides: readonly ComparedSide[],
  { rounds, maxWaitSeconds }: AlternateOptions,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const runs = new Map<string, Run[]>(sides.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of sides) {
      await waitForIdle(maxWaitSeconds)
      const result = await run()
      if (round > 0) runs.get(name)?.push(result)
      process.stderr.write(
        `  ${round === 0 ? 'warming up' : `round ${round}`}: ${name}, ${result.seconds.toFixed(2)} s\n`,
      )
    }
  }
  return runs
}

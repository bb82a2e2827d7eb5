import { cpus, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

interface CpuTimes {
  readonly busyMs: number
  readonly totalMs: number
}

export interface MachineReading {
  /** Of all cores since the last reading, 0 to 100. */
  readonly cpuPercent: number
  readonly memoryUsed: number
  readonly memoryTotal: number
  /** How long one in a hundred requests waited for others since the last reading, in milliseconds. */
  readonly waitingMs: number
}

const leastIntervalMs = 1000
const nanosecondsPerMs = 1e6

/** Measures the machine, or the container with its own limits, that the server runs in. */
export function createMachine(monotonicNow: () => number = () => performance.now()) {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let last = { at: monotonicNow(), cpu: readCpuTimes() }
  let reading: Pick<MachineReading, 'cpuPercent' | 'waitingMs'> = { cpuPercent: 0, waitingMs: 0 }

  /** Times between two readings that are too close would be those of the readings themselves. */
  function measure(): void {
    const at = monotonicNow()
    if (at - last.at < leastIntervalMs) return
    const cpu = readCpuTimes()
    reading = { cpuPercent: busyPercent(last.cpu, cpu), waitingMs: delays.percentile(99) / nanosecondsPerMs }
    last = { at, cpu }
    delays.reset()
  }

  return {
    read(): MachineReading {
      measure()
      const memoryTotal = memoryLimit()
      return { ...reading, memoryTotal, memoryUsed: Math.max(0, memoryTotal - process.availableMemory()) }
    },
    close: () => void delays.disable(),
  }
}

export type Machine = ReturnType<typeof createMachine>

/** The limit of the container; without one, all memory. */
function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

function readCpuTimes(): CpuTimes {
  const totals = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }))
  const busyMs = totals.reduce((sum, { busy }) => sum + busy, 0)
  return { busyMs, totalMs: totals.reduce((sum, { idle }) => sum + idle, busyMs) }
}

function busyPercent(before: CpuTimes, after: CpuTimes): number {
  const totalMs = after.totalMs - before.totalMs
  return totalMs <= 0 ? 0 : Math.min(100, Math.max(0, ((after.busyMs - before.busyMs) / totalMs) * 100))
}

import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds. */
export interface TickTimes {
  readonly median: number
  readonly p99: number
}

const milliseconds = 1e6

/** Loaded into a server before its own code; tells how long the ticks of its event loop took since it was asked last. */
const ticks = monitorEventLoopDelay({ resolution: 1 })
ticks.enable()
process.on('message', () => {
  const times: TickTimes = { median: ticks.percentile(50) / milliseconds, p99: ticks.percentile(99) / milliseconds }
  ticks.reset()
  process.send?.(times)
})
process.channel?.unref()

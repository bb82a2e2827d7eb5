import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds. */
export interface TickTimes {
  readonly median: number
  readonly p99: number
}

const milliseconds = 1e6

/** Preloaded into a server; each message returns the tick durations of its event loop since the last one. */
const ticks = monitorEventLoopDelay({ resolution: 1 })
ticks.enable()
process.on('message', () => {
  const times: TickTimes = { median: ticks.percentile(50) / milliseconds, p99: ticks.percentile(99) / milliseconds }
  ticks.reset()
  process.send?.(times)
})
process.channel?.unref()

import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds. */
export interface TurnTimes {
  readonly median: number
  readonly p99: number
}

const milliseconds = 1e6

/** Loaded into a server before its own code; tells how long the turns of its event loop took since it was asked last. */
const turns = monitorEventLoopDelay({ resolution: 1 })
turns.enable()
process.on('message', () => {
  const times: TurnTimes = { median: turns.percentile(50) / milliseconds, p99: turns.percentile(99) / milliseconds }
  turns.reset()
  process.send?.(times)
})
process.channel?.unref()

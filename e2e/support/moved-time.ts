// Loaded into a server before its own code: moves its clock and shortens its long waits, so that a test need not wait
// for hours. The server knows nothing of it.
import { createRequire, syncBuiltinESMExports } from 'node:module'

const RealDate = Date
const longWaitMs = 10_000
let aheadMs = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0)
const shorter = Number(process.env['TEST_LONG_WAITS_SHORTER'] ?? 1)

class MovedDate extends RealDate {
  constructor(...given: [] | [value: number | string | Date]) {
    if (given.length === 0) super(MovedDate.now())
    else super(...given)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = MovedDate as DateConstructor

const timers: typeof import('node:timers/promises') = createRequire(import.meta.url)('node:timers/promises')
const wait = timers.setTimeout
const waitShorter: typeof wait = (delay = 0, ...rest) => wait(delay >= longWaitMs ? delay / shorter : delay, ...rest)
Reflect.set(timers, 'setTimeout', waitShorter)
syncBuiltinESMExports()

process.on('message', (message: { aheadMs: number }) => {
  aheadMs = message.aheadMs
  process.send?.(message)
})
process.channel?.unref()

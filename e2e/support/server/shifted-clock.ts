// Preloaded into a server process: shifts its clock and shortens its long waits, so that a test does not wait for
// hours. The server is unaware of it.
import { createRequire, syncBuiltinESMExports } from 'node:module'

const RealDate = Date
const longWaitMs = 10_000
let aheadMs = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0)
const longWaitDivisor = Number(process.env['TEST_LONG_WAITS_SHORTER'] ?? 1)

class ShiftedDate extends RealDate {
  constructor(...args: [] | [value: number | string | Date]) {
    if (args.length === 0) super(ShiftedDate.now())
    else super(...args)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = ShiftedDate as DateConstructor

// The time passes for the whole machine; otherwise the server would take its clock to be wrong.
const os: typeof import('node:os') = createRequire(import.meta.url)('node:os')
const uptime = os.uptime
Reflect.set(os, 'uptime', () => uptime() + aheadMs / 1000)

const timers: typeof import('node:timers/promises') = createRequire(import.meta.url)('node:timers/promises')
const wait = timers.setTimeout
const waitDivided: typeof wait = (delay = 0, ...rest) =>
  wait(delay >= longWaitMs ? delay / longWaitDivisor : delay, ...rest)
Reflect.set(timers, 'setTimeout', waitDivided)
syncBuiltinESMExports()

process.on('message', (message: { aheadMs?: number }) => {
  if (message.aheadMs === undefined) return
  aheadMs = message.aheadMs
  process.send?.(message)
})
process.channel?.unref()

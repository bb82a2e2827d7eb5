// Preloaded into a server process: sets its clock ahead by what a file says, and shortens its long waits, so that a test
// does not wait for the next sweep. The uptime of the machine stays as it is.
import { readFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'

const RealDate = Date
const longWaitMs = 5000
const divisor = 100
const path = process.env['TEST_CLOCK_FILE'] ?? ''
let aheadMs = 0

class WrongDate extends RealDate {
  constructor(...args: [] | [value: number | string | Date]) {
    if (args.length === 0) super(WrongDate.now())
    else super(...args)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

const shorten = (delay = 0): number => (delay >= longWaitMs ? delay / divisor : delay)
const timers: typeof import('node:timers/promises') = createRequire(import.meta.url)('node:timers/promises')
const wait = timers.setTimeout
const waitShorter: typeof wait = (delay, ...rest) => wait(shorten(delay), ...rest)
Reflect.set(timers, 'setTimeout', waitShorter)
syncBuiltinESMExports()

const repeat = globalThis.setInterval
const repeatSooner = (step: () => void, delay?: number) => repeat(step, shorten(delay))
globalThis.setInterval = repeatSooner as typeof setInterval

const readFile = (): void => {
  aheadMs = Number(readFileSync(path, 'utf8'))
}
readFile()
repeat(readFile, 10).unref()
globalThis.Date = WrongDate as DateConstructor

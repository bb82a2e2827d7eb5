import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** How long the machine has been running, whatever its clock says. */
export interface Uptime {
  /** Another one after each start of the machine. */
  readonly bootId: string
  /** Milliseconds, with the time that the machine has slept. */
  readonly ms: () => number
}

const bootIdFile = '/proc/sys/kernel/random/boot_id'

/** The uptime of this machine. Systems other than Linux derive theirs from the clock, so there it is that of the process. */
export function machineUptime(): Uptime {
  try {
    return { bootId: readFileSync(bootIdFile, 'utf8').trim(), ms: () => uptime() * 1000 }
  } catch {
    return { bootId: randomUUID(), ms: () => performance.now() }
  }
}

import { clockLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import type { Job } from '../../../jobs.ts'
import type { Clock } from './clock.ts'

interface ClockJobDeps {
  readonly clock: Pick<Clock, 'check'>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Checks the clock, and logs when it was set to a time that cannot be right, once an hour until it is right again. */
export function createClockJob({ clock, log }: ClockJobDeps): Job {
  let loggedAtMs: number | null = null

  return {
    name: 'clock',
    everyMs: clockLimits.checkEveryMs,
    async run() {
      const jump = await clock.check()
      if (!jump && loggedAtMs !== null) log.info('the clock is right again; what has expired is deleted')
      const isDue = loggedAtMs === null || performance.now() - loggedAtMs >= clockLimits.logEveryMs
      if (jump && isDue)
        log.error(
          { expected: new Date(jump.expected).toISOString(), actual: new Date(jump.actual).toISOString() },
          'the clock was set; nothing is deleted until it is right or an admin confirms it (npm run admin -- confirm-clock)',
        )
      if (!jump) loggedAtMs = null
      else if (isDue) loggedAtMs = performance.now()
    },
  }
}

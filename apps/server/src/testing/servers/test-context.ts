import { createContext } from '../../app/create-context.ts'
import { readConfig } from '../../config.ts'
import { openClock } from '../../platform/db/clock/clock.ts'
import { createClockReadingsStore } from '../../platform/db/clock/clock-readings.store.ts'
import { createLogger } from '../../platform/http/logger.ts'
import type { ResourceLimits } from '../../platform/rate-limit/resources.ts'
import type { Stage } from '../engines/databases.ts'

/** The public origin of the test servers. */
export const ownOrigin = 'http://sallyport.test'

interface TestContextOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Receives the log lines. */
  readonly log?: string[]
  readonly resourceLimits?: ResourceLimits | undefined
}

/** The context of a server over the database, the clock and the folder of a test. */
export async function createTestContext(
  { db, now, folder }: Stage,
  { environment = {}, log = [], resourceLimits }: TestContextOptions = {},
) {
  // Time passes for the machine as it does for the test.
  const uptime = { bootId: folder, ms: now }
  const clock = await openClock({ read: now, uptime, store: createClockReadingsStore(db) })
  return createContext({
    config: readConfig({ DATA_DIR: folder, PUBLIC_URL: ownOrigin, ...environment }),
    logger: createLogger('info', { write: (line) => void log.push(line) }),
    version: '0.0.0',
    resourceLimits,
    database: { db, clock, close: async () => undefined },
  })
}

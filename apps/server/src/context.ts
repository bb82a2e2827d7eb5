import type { ActivityAction, ActivityEntry } from '@sallyport/contract/activity'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Clock } from './platform/db/clock/clock.ts'
import type { Database } from './platform/db/schema.ts'
import type { EmailService } from './platform/email/email-service.ts'
import type { SecurityNotices } from './platform/email/security-notices.ts'
import type { Bus } from './platform/events/bus.ts'
import type { PublishToAccount, PublishToSession } from './platform/events/publish.ts'
import type { Metrics } from './platform/monitoring/metrics.ts'
import type { SecurityLog } from './platform/monitoring/security-log.ts'
import type { FailedAttempts } from './platform/rate-limit/failed-attempts.ts'
import type { ListSlots } from './platform/rate-limit/list-slots.ts'
import type { KeyedMutex } from './platform/rate-limit/mutex.ts'
import type { PasswordHashing } from './platform/rate-limit/password-hashing.ts'
import type { RateLimiter } from './platform/rate-limit/rate-limiter.ts'
import type { Resources } from './platform/rate-limit/resources.ts'
import type { CreateTickets } from './platform/realtime/tickets.ts'
import type { SharedRedis } from './platform/redis/redis.ts'
import type { EndAfterExpiry } from './platform/storage/end-after-expiry.ts'
import type { Failpoint } from './platform/storage/failpoints.ts'
import type { Volumes } from './platform/storage/volumes.ts'
import type { Secrets } from './secrets.ts'

export interface RecordedActivity {
  readonly action: ActivityAction
  /** How many files it was about, and their plaintext size. */
  readonly files?: number
  readonly bytes?: number
}

/** What all modules share. `app/` creates it once; a module picks the few fields it needs. */
export interface ServerContext {
  readonly config: Config
  readonly version: string
  readonly log: Logger
  /** Logs an error of a background task. */
  readonly onError: (error: Error) => void
  /** Rejects passwords, names and keys that the client has not encrypted or derived. */
  readonly strict: boolean
  /** Requires users to verify their email address before they can sign in. */
  readonly confirmEmails: boolean
  /** The data folder. */
  readonly folder: string
  /** The URL of the web app; links in emails lead there and nowhere else. Its port can change until the server listens. */
  readonly publicUrl: URL
  readonly secrets: Secrets
  readonly db: Database
  /** The database's time in epoch milliseconds, that of `clock`. */
  readonly now: () => number
  readonly clock: Clock
  /** Null for a single node. */
  readonly redis: SharedRedis | null
  readonly bus: Bus
  readonly createTickets: CreateTickets
  readonly rateLimiter: RateLimiter
  readonly mutex: KeyedMutex
  readonly publishToAccount: PublishToAccount
  readonly publishToSession: PublishToSession
  readonly volumes: Volumes
  readonly endAfterExpiry: EndAfterExpiry
  readonly failpoint: Failpoint
  readonly emailService: EmailService
  readonly notices: SecurityNotices
  readonly securityLog: SecurityLog
  readonly failedAttempts: FailedAttempts
  /** Records what happened in an account, soon and without waiting. An error is logged. */
  readonly recordActivity: (userId: string, activity: RecordedActivity) => void
  /** Lists the newest entries of an account, latest first, those just recorded by this node included. */
  readonly listActivity: (userId: string, limit: number) => Promise<ActivityEntry[]>
  readonly hashing: PasswordHashing
  readonly listSlots: ListSlots
  readonly resources: Resources
  readonly metrics: Metrics
}

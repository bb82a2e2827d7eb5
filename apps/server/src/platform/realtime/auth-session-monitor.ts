import { liveLimits } from '@sallyport/contract/server-limits'
import type { Bus } from '../events/bus.ts'
import { type Revocation, revokedTopic } from '../events/publish.ts'

export interface AuthSessionRef {
  readonly userId: string
  readonly authSessionId: string
}

interface AuthSessionMonitorDeps {
  /** Returns those of these auth sessions that are still valid. */
  readonly filterValid: (authSessionIds: readonly string[]) => Promise<readonly string[]>
  readonly bus: Bus
}

const batchSize = 500

/**
 * Checks the auth sessions of open sockets, and publishes those that ended without a message to this server: by expiry,
 * at another node, or on the command line.
 */
export function createAuthSessionMonitor({ filterValid, bus }: AuthSessionMonitorDeps) {
  const open = new Set<AuthSessionRef>()

  return {
    /** Monitors the auth session of one socket until the returned function is called. */
    watch(authSession: AuthSessionRef): () => void {
      const watched = { ...authSession }
      open.add(watched)
      return () => void open.delete(watched)
    },
    job: {
      name: 'auth session monitor',
      everyMs: liveLimits.checkEveryMs,
      async run(signal: AbortSignal): Promise<void> {
        const users = new Map([...open].map(({ authSessionId, userId }) => [authSessionId, userId]))
        const ids = [...users.keys()]
        for (let start = 0; start < ids.length && !signal.aborted; start += batchSize) {
          const some = ids.slice(start, start + batchSize)
          const valid = new Set(await filterValid(some))
          for (const authSessionId of some.filter((id) => !valid.has(id))) {
            bus.publish(revokedTopic, {
              userId: users.get(authSessionId) ?? '',
              signInId: authSessionId,
            } satisfies Revocation)
          }
        }
      },
    },
  }
}

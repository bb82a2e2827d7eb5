import { liveLimits } from '@sallyport/contract/server-limits'
import type { Bus } from '../bus/bus.ts'
import { type Revocation, revokedTopic } from './announce.ts'

export interface OpenSignIn {
  readonly userId: string
  readonly signInId: string
}

interface Parts {
  /** Those of these sign-ins that are still good. */
  readonly liveAmong: (signInIds: readonly string[]) => Promise<readonly string[]>
  readonly bus: Bus
}

const atOnce = 500

/**
 * Looks at the sign-ins behind open sockets, and tells of those that ended where nobody told this server: by their time,
 * at another node, or in a terminal.
 */
export function createEndedWatch({ liveAmong, bus }: Parts) {
  const open = new Set<OpenSignIn>()

  return {
    /** Watches the sign-in behind one socket until the answer is called. */
    watch(signIn: OpenSignIn): () => void {
      const watched = { ...signIn }
      open.add(watched)
      return () => void open.delete(watched)
    },
    job: {
      name: 'ended sign-ins behind sockets',
      everyMs: liveLimits.checkEveryMs,
      async run(signal: AbortSignal): Promise<void> {
        const users = new Map([...open].map(({ signInId, userId }) => [signInId, userId]))
        const ids = [...users.keys()]
        for (let start = 0; start < ids.length && !signal.aborted; start += atOnce) {
          const some = ids.slice(start, start + atOnce)
          const live = new Set(await liveAmong(some))
          for (const signInId of some.filter((id) => !live.has(id))) {
            bus.publish(revokedTopic, { userId: users.get(signInId) ?? '', signInId } satisfies Revocation)
          }
        }
      },
    },
  }
}

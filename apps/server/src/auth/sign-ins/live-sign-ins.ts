import { tokenLimits } from '@sallyport/contract/server-limits'
import type { Bus } from '../../bus/bus.ts'
import type { Account } from '../../http/caller.ts'
import { type Revocation, revokedTopic } from '../../live/announce.ts'
import { hasEnded } from './sign-in.rules.ts'
import type { SignInsStore } from './sign-ins.store.ts'

/** Told when sign-ins of a user reach further, or less far, than before: nothing has ended, but what is remembered is old. */
export const reachTopic = 'sign-in.reach'

interface Parts {
  readonly signIns: SignInsStore
  readonly bus: Bus
  readonly now: () => number
}

type Found = NonNullable<Awaited<ReturnType<SignInsStore['find']>>>

/** Knows which sign-ins are live. What it remembers is at most five seconds old and goes at once on a revocation. */
export function createLiveSignIns({ signIns, bus, now }: Parts) {
  const remembered = new Map<string, { found: Found; until: number }>()
  let revocations = 0

  function forget({ userId, signInId }: Revocation): void {
    revocations += 1
    for (const [id, { found }] of remembered) {
      if (found.userId === userId && (signInId === undefined || signInId === id)) remembered.delete(id)
    }
  }
  bus.subscribe<Revocation>(revokedTopic, forget)
  bus.subscribe<Revocation>(reachTopic, forget)

  function forgetOld(): void {
    for (const [id, { until }] of remembered) {
      if (until > now()) return
      remembered.delete(id)
    }
  }

  async function look(id: string): Promise<Found | null> {
    const known = remembered.get(id)
    if (known && known.until > now()) return known.found
    forgetOld()
    const seen = revocations
    const found = await signIns.find(id)
    remembered.delete(id)
    // A revocation that arrived while the row was read may be newer than the row.
    if (found && seen === revocations) remembered.set(id, { found, until: now() + tokenLimits.signInCacheMs })
    return found
  }

  return {
    /** The account behind a live sign-in, or null. */
    async find({ userId, signInId }: { userId: string; signInId: string }): Promise<Account | null> {
      const found = await look(signInId)
      if (!found || found.userId !== userId || hasEnded(found.notAfter, now())) return null
      if (found.bannedUntil !== null && found.bannedUntil > now()) return null
      const { email, secondFactorPending, recoveredAt } = found
      return { userId, signInId, email, secondFactorPending, recoveredAt }
    },
  }
}

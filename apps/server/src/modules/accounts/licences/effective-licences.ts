import { sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import type { Job } from '../../../jobs.ts'
import type { EffectiveLicencesStore } from './effective-licences.store.ts'
import { type Licences, licenceTopic } from './licences.ts'

interface EffectiveLicencesDeps extends Pick<ServerContext, 'bus' | 'now' | 'onError'> {
  readonly store: EffectiveLicencesStore
  readonly licences: Pick<Licences, 'licencesOf'>
}

/**
 * Stores which licence each account has at present, so that lists of users can be sorted and filtered by it. It is derived
 * again when a change is published, and in the background when a licence ends. Rights never follow from it.
 */
export function createEffectiveLicences({ store, licences, bus, now, onError }: EffectiveLicencesDeps) {
  let checkedAll = false

  async function refresh(userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return
    const effective = await licences.licencesOf(userIds)
    await store.save(
      [...effective].map(([userId, { type, expiresAt }]) => {
        const isInForce = expiresAt !== null && expiresAt > now()
        return { userId, type, validUntil: isInForce ? expiresAt : null }
      }),
    )
  }

  /** Derives the licences of all listed users, a batch at a time. Returns false when it was aborted. */
  async function refreshEach(list: (after: string) => Promise<string[]>, signal: AbortSignal): Promise<boolean> {
    for (let after = ''; !signal.aborted; ) {
      const userIds = await list(after)
      await refresh(userIds)
      const last = userIds.at(-1)
      if (last === undefined) return true
      after = last
    }
    return false
  }

  bus.subscribe<string>(licenceTopic, (userId) => void refresh([userId]).catch(onError))

  return {
    refresh,
    job: {
      name: 'effective licences',
      needsRightTime: true,
      everyMs: sweepLimits.everyMs,
      async run(signal) {
        const { batch } = sweepLimits
        // All of them once after each start, because settings of the server change the licences of all accounts.
        if (!checkedAll) checkedAll = await refreshEach((after) => store.userIds(after, batch), signal)
        await refreshEach((after) => store.staleUserIds(now(), after, batch), signal)
      },
    } satisfies Job,
  }
}

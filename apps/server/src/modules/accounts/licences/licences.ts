import { tokenLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import {
  deriveLicence,
  getLicenceStatus,
  instanceLicenceOf,
  parseLicence,
  type RegistrationTerms,
  type SourcedLicence,
  withInstanceLicence,
  withTrialAfterPaid,
} from './licence.rules.ts'
import type { LicencesStore } from './licences.store.ts'

interface LicencesDeps extends Pick<ServerContext, 'bus' | 'now'> {
  readonly store: Pick<LicencesStore, 'list'>
  /** The licence of new accounts. */
  readonly registrationTerms: RegistrationTerms
  /** The licences of these accounts that are not stored, such as those of their subscriptions. */
  readonly derivedLicences: (userIds: readonly string[]) => Promise<ReadonlyMap<string, readonly SourcedLicence[]>>
}

interface CachedLicences {
  readonly licences: readonly SourcedLicence[]
  readonly until: number
}

/** Bus topic with the ids of accounts whose licences have changed. */
export const licenceTopic = 'licence.changed'

/** Makes all nodes read the licence of the account again, and its open pages show it. */
export function announceLicence(
  { bus, publishToAccount }: Pick<ServerContext, 'bus' | 'publishToAccount'>,
  userId: string,
): void {
  bus.publish(licenceTopic, userId)
  publishToAccount(userId, { type: 'licence.changed' })
}

/**
 * Finds the effective licences of accounts. Cached entries expire after 5 seconds and are evicted when a change is
 * published on the bus.
 */
export function createLicences({ store, registrationTerms, derivedLicences, bus, now }: LicencesDeps) {
  const instanceLicence = instanceLicenceOf(registrationTerms)
  const cache = new Map<string, CachedLicences>()
  let changeCount = 0

  bus.subscribe<string>(licenceTopic, (userId) => {
    changeCount += 1
    cache.delete(userId)
  })

  function evictExpired(): void {
    for (const [userId, { until }] of cache) {
      if (until > now()) return
      cache.delete(userId)
    }
  }

  async function readAll(userIds: readonly string[]): Promise<ReadonlyMap<string, readonly SourcedLicence[] | null>> {
    const found = await Promise.all([store.list(userIds), derivedLicences(userIds)]).catch((cause: unknown) => {
      throw apiError('LICENSE_CHECK_FAILED', { cause })
    })
    const [rows, derived] = found
    const grouped = Map.groupBy(rows, ({ user_id }) => user_id)
    return new Map(
      userIds.map((userId) => {
        const stored = (grouped.get(userId) ?? []).map(parseLicence)
        const readable = stored.filter((licence) => licence !== null)
        if (readable.length < stored.length) return [userId, null]
        const all = withTrialAfterPaid([...readable, ...(derived.get(userId) ?? [])])
        return [userId, withInstanceLicence(all, instanceLicence)]
      }),
    )
  }

  const read = async (userId: string): Promise<readonly SourcedLicence[]> =>
    (await readAll([userId])).get(userId) ?? throwUnreadable(userId)

  async function getCached(userId: string): Promise<readonly SourcedLicence[]> {
    const cached = cache.get(userId)
    if (cached && cached.until > now()) return cached.licences
    evictExpired()
    const changeCountBefore = changeCount
    const licences = await read(userId)
    cache.delete(userId)
    // Does not cache rows that may be older than a change published during the query.
    if (changeCountBefore === changeCount)
      cache.set(userId, { licences, until: now() + tokenLimits.authSessionCacheMs })
    return licences
  }

  const deriveEffective = (userId: string, licences: readonly SourcedLicence[]): SourcedLicence =>
    deriveLicence(licences, now()) ?? throwUnreadable(userId)

  return {
    /** Returns the current licence of the account. Throws `LICENSE_PARSE_FAILED` if it cannot be read. */
    licenceOf: async (userId: string): Promise<SourcedLicence> => deriveEffective(userId, await read(userId)),
    /** Returns the current licences of several accounts; those that cannot be read are left out. */
    async licencesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, SourcedLicence>> {
      const all = await readAll(userIds)
      const effective = [...all].map(([userId, licences]) => [userId, deriveLicence(licences ?? [], now())] as const)
      return new Map(effective.filter((entry): entry is [string, SourcedLicence] => entry[1] !== null))
    },
    /** Throws `UPGRADE_REQUIRED` if the licence of the account has ended. Uses the cache, because it runs on every call. */
    async requireActive(userId: string): Promise<void> {
      const licence = deriveEffective(userId, await getCached(userId))
      if (getLicenceStatus(licence, now()) !== 'in-force') throw apiError('UPGRADE_REQUIRED')
    },
  }
}

export type Licences = ReturnType<typeof createLicences>

function throwUnreadable(userId: string): never {
  throw apiError('LICENSE_PARSE_FAILED', { cause: new Error(`The licence of ${userId} cannot be read`) })
}

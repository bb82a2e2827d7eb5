import { licenceLimits } from '@sallyport/contract/limits'
import type { SourcedLicence } from '../accounts/licences/licence.rules.ts'
import type { MembershipsStore } from './memberships.store.ts'
import type { FindSeatSources } from './seat-sources.ts'
import { seatEndOf } from './seats.rules.ts'

interface SeatLicencesDeps {
  readonly memberships: Pick<MembershipsStore, 'organizationsOf'>
  readonly findSeatSources: FindSeatSources
}

/** Creates the function that finds the licences which the seats of accounts give, by user id. */
export const createSeatLicences =
  ({ memberships, findSeatSources }: SeatLicencesDeps) =>
  async (userIds: readonly string[]): Promise<ReadonlyMap<string, readonly SourcedLicence[]>> => {
    const organizations = await memberships.organizationsOf(userIds)
    if (organizations.size === 0) return new Map()
    const sources = await findSeatSources([...organizations.values()])
    const { storageBytes } = licenceLimits.paid
    return new Map(
      [...organizations].flatMap(([userId, { id }]) => {
        const expiresAt = seatEndOf(sources.get(id) ?? { subscription: null, grants: [] })
        if (expiresAt === undefined) return []
        const licence: SourcedLicence = { source: 'seat', type: 'business', storageBytes, expiresAt }
        return [[userId, [licence]] as const]
      }),
    )
  }

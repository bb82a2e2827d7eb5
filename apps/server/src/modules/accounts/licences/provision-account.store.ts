import { countOnDay } from '../../../platform/db/daily-counts.ts'
import type { ProvisionAccount } from '../../auth/users/users.store.ts'
import { addDays, type RegistrationTerms } from './licence.rules.ts'
import { claimOffer } from './licence-offers.store.ts'
import { grantLicence } from './licences.store.ts'

/**
 * Creates the function that provisions a new user: the storage use, the licence of the registration and, if the user
 * registered with an offer, its licence. It counts the user as well.
 */
export const createProvisionAccount =
  ({ type, storageBytes, days }: RegistrationTerms): ProvisionAccount =>
  async (transaction, { userId, offerId, now }) => {
    const licence = { type, storageBytes, expiresAt: addDays(days, now) }
    await grantLicence(transaction, { userId, source: 'registration', licence, now })
    await transaction
      .insertInto('storage_use')
      .values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (offerId !== undefined) await claimOffer(transaction, { offerId, userId, now })
    await countOnDay(transaction, now, { new_users: 1 })
  }

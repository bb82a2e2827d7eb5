import type { DatabaseTransaction } from '../../../platform/db/schema.ts'
import type { NewAccount } from '../../auth/users/users.store.ts'
import { trialLicence } from './licence.rules.ts'
import { claimOffer } from './licence-offers.store.ts'
import { grantLicence } from './licences.store.ts'

/** Creates the storage use, the trial licence and, if the user registered with an offer, its licence for a new user. */
export async function provisionAccount(transaction: DatabaseTransaction, newUser: NewAccount): Promise<void> {
  const { userId, offerId, now } = newUser
  await grantLicence(transaction, { userId, source: 'registration', licence: trialLicence(now), now })
  await transaction
    .insertInto('storage_use')
    .values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (offerId !== undefined) await claimOffer(transaction, { offerId, userId, now })
}

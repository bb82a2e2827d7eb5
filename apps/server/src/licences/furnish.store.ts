import type { Arrival } from '../auth/users/users.store.ts'
import type { DatabaseTransaction } from '../db/schema.ts'
import { trialLicence } from './licence.rules.ts'
import { claimOffer } from './licence-offers.store.ts'
import { grantLicence } from './licences.store.ts'

/** Gives a new user empty room, the trial licence, and what the offer holds that they came by. */
export async function furnishAccount(transaction: DatabaseTransaction, arrival: Arrival): Promise<void> {
  const { userId, offerId, now } = arrival
  await grantLicence(transaction, { userId, source: 'registration', licence: trialLicence(now), now })
  await transaction
    .insertInto('storage_use')
    .values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (offerId !== undefined) await claimOffer(transaction, { offerId, userId, now })
}

import { refuse } from '../errors.ts'
import type { AccountsStore } from './accounts.store.ts'
import { type Licence, readLicence } from './licence.rules.ts'

/** What other features ask of an account. A licence that cannot be read is refused with `LICENSE_PARSE_FAILED`. */
export function createAccountReaders(accounts: AccountsStore) {
  async function licenceOf(userId: string): Promise<Licence> {
    const stored = await accounts.findLicence(userId)
    const licence = stored && readLicence(stored)
    if (!licence) throw refuse('LICENSE_PARSE_FAILED', { cause: new Error(`The licence of ${userId} cannot be read`) })
    return licence
  }

  return {
    licenceOf,
    /** Bytes the account may keep. */
    storageLimitOf: async (userId: string): Promise<number> => (await licenceOf(userId)).storageBytes,
    /** How long the account's files live unless it says otherwise for one of them. */
    expirationMinutesOf: (userId: string): Promise<number> => accounts.expirationMinutes(userId),
  }
}

export type AccountReaders = ReturnType<typeof createAccountReaders>

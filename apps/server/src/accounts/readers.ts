import type { Licences } from '../licences/licences.ts'
import type { AccountsStore } from './accounts.store.ts'

/** What other features ask of an account. */
export function createAccountReaders(accounts: AccountsStore, { licenceOf }: Licences) {
  return {
    /** Bytes the account may keep. */
    storageLimitOf: async (userId: string): Promise<number> => (await licenceOf(userId)).storageBytes,
    /** Whether the account has nothing but what every registration gets. */
    isOnTrial: async (userId: string): Promise<boolean> => (await licenceOf(userId)).source === 'registration',
    /** How long the account's files live unless it says otherwise for one of them. */
    expirationMinutesOf: (userId: string): Promise<number> => accounts.expirationMinutes(userId),
  }
}

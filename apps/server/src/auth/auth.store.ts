import type { Database } from '../db/schema.ts'
import { createBackupCodesStore } from './factors/backup-codes.store.ts'
import { createFactorsStore } from './factors/factors.store.ts'
import { createOneTimeTokensStore } from './one-time/one-time-tokens.store.ts'
import { createKnownOriginsStore } from './sign-ins/known-origins.store.ts'
import { createSignInsStore } from './sign-ins/sign-ins.store.ts'
import { createUsersStore, type Furnish } from './users/users.store.ts'

/** Everything the embedded provider keeps. */
export const createAuthStores = (db: Database, furnish: Furnish) => ({
  users: createUsersStore(db, furnish),
  signIns: createSignInsStore(db),
  knownOrigins: createKnownOriginsStore(db),
  oneTimeTokens: createOneTimeTokensStore(db),
  factors: createFactorsStore(db),
  backupCodes: createBackupCodesStore(db),
})

export type AuthStores = ReturnType<typeof createAuthStores>

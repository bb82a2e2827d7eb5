import type { Database } from '../../platform/db/schema.ts'
import { createBackupCodesStore } from './factors/backup-codes.store.ts'
import { createFactorsStore } from './factors/factors.store.ts'
import { createOneTimeTokensStore } from './one-time/one-time-tokens.store.ts'
import { createAuthSessionsStore } from './sign-ins/auth-sessions.store.ts'
import { createKnownOriginsStore } from './sign-ins/known-origins.store.ts'
import { createSignInHistoryStore } from './sign-ins/sign-in-history.store.ts'
import { createUsersStore, type ProvisionAccount } from './users/users.store.ts'

/** Creates the database stores of the embedded provider. */
export const createAuthStores = (db: Database, provisionAccount: ProvisionAccount) => ({
  users: createUsersStore(db, provisionAccount),
  authSessions: createAuthSessionsStore(db),
  knownOrigins: createKnownOriginsStore(db),
  signInHistory: createSignInHistoryStore(db),
  oneTimeTokens: createOneTimeTokensStore(db),
  factors: createFactorsStore(db),
  backupCodes: createBackupCodesStore(db),
})

export type AuthStores = ReturnType<typeof createAuthStores>

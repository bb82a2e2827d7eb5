import { Migrator } from 'kysely/migration'
import { accounts } from './migrations/0001-accounts.ts'
import { files } from './migrations/0002-files.ts'
import { provider } from './migrations/0003-provider.ts'
import { mailQueue } from './migrations/0004-post.ts'
import { licences } from './migrations/0005-licences.ts'
import { accountKeys } from './migrations/0006-account-keys.ts'
import { shareOptions } from './migrations/0007-share-options.ts'
import { messages } from './migrations/0008-messages.ts'
import { sessions } from './migrations/0011-sessions.ts'
import { pinFailures } from './migrations/0012-pin-failures.ts'
import { sessionAccess } from './migrations/0013-session-access.ts'
import { guessing } from './migrations/0014-guessing.ts'
import { passwordProofs } from './migrations/0015-password-proofs.ts'
import { messageBytes } from './migrations/0016-message-bytes.ts'
import { shareBytes } from './migrations/0018-share-bytes.ts'
import { sessionKeyEpochs } from './migrations/0019-session-key-epochs.ts'
import { portalRooms } from './migrations/0020-portal-rooms.ts'
import { secretFingerprints } from './migrations/0021-secret-fingerprints.ts'
import { signInHistory } from './migrations/0022-sign-in-history.ts'
import { billing } from './migrations/0023-billing.ts'
import { accountActivity } from './migrations/0024-account-activity.ts'
import { adminAudit } from './migrations/0025-admin-audit.ts'
import { userLists } from './migrations/0026-user-lists.ts'
import { organizations } from './migrations/0027-organizations.ts'
import { offerDescriptions } from './migrations/0028-offer-descriptions.ts'
import { clockReadings } from './migrations/0029-clock-readings.ts'
import { userDeletions } from './migrations/0030-user-deletions.ts'
import { dailyCounts } from './migrations/0031-daily-counts.ts'
import { paymentEvents } from './migrations/0032-payment-events.ts'
import type { Database } from './schema.ts'

const migrations = {
  '0001-accounts': accounts,
  '0002-files': files,
  '0003-provider': provider,
  '0004-post': mailQueue,
  '0005-licences': licences,
  '0006-account-keys': accountKeys,
  '0007-share-options': shareOptions,
  '0008-messages': messages,
  '0011-sessions': sessions,
  '0012-pin-failures': pinFailures,
  '0013-session-access': sessionAccess,
  '0014-guessing': guessing,
  '0015-password-proofs': passwordProofs,
  '0016-message-bytes': messageBytes,
  '0018-share-bytes': shareBytes,
  '0019-session-key-epochs': sessionKeyEpochs,
  '0020-portal-rooms': portalRooms,
  '0021-secret-fingerprints': secretFingerprints,
  '0022-sign-in-history': signInHistory,
  '0023-billing': billing,
  '0024-account-activity': accountActivity,
  '0025-admin-audit': adminAudit,
  '0026-user-lists': userLists,
  '0027-organizations': organizations,
  '0028-offer-descriptions': offerDescriptions,
  '0029-clock-readings': clockReadings,
  '0030-user-deletions': userDeletions,
  '0031-daily-counts': dailyCounts,
  '0032-payment-events': paymentEvents,
}

/** The names of all migrations in their order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Migrates the database to the latest schema; safe to run from several processes concurrently. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw newerDatabaseError(error) ?? error
}

/** Explains the migrator's error about a migration that is newer than all of this version. */
function newerDatabaseError(error: unknown): Error | null {
  const message = error instanceof Error ? error.message : ''
  const [, unknown = ''] = /previously executed migration (\S+) is missing/.exec(message) ?? []
  const isNewer = migrationNames.every((name) => name < unknown)
  return isNewer ? new Error(`The database was made by a newer version of Sallyport (migration ${unknown})`) : null
}

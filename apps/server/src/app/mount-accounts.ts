import { signInHistoryLimits } from '@sallyport/contract/auth-sessions'
import { authSessionLimits, messageLimits } from '@sallyport/contract/limits'
import { guessingLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { apiError } from '../errors.ts'
import type { Job } from '../jobs.ts'
import { accountRoutes } from '../modules/accounts/accounts.routes.ts'
import { activityRoutes } from '../modules/accounts/activity/activity.routes.ts'
import { authSessionRoutes } from '../modules/accounts/devices/auth-sessions.routes.ts'
import { invitationRoutes } from '../modules/accounts/invitations/invitations.routes.ts'
import { createInvitationService } from '../modules/accounts/invitations/invitations.service.ts'
import { accountKeyRoutes } from '../modules/accounts/keys/account-keys.routes.ts'
import { createAccountKeysService } from '../modules/accounts/keys/account-keys.service.ts'
import { createAccountKeysStore } from '../modules/accounts/keys/account-keys.store.ts'
import { createDeviceSharesStore } from '../modules/accounts/keys/device-shares.store.ts'
import { createDeviceShares } from '../modules/accounts/keys/device-shares.ts'
import { createPreviousKeysStore } from '../modules/accounts/keys/previous-keys.store.ts'
import { createRecoveryKeysStore } from '../modules/accounts/keys/recovery-keys.store.ts'
import { createFirstAdmin } from '../modules/admin/first-admin.ts'
import type { AuthStores } from '../modules/auth/auth.store.ts'
import { backupCodeRoutes } from '../modules/auth/factors/backup-codes.routes.ts'
import { noBackupCodes } from '../modules/auth/factors/backup-codes.ts'
import { emailedLinkRoutes } from '../modules/auth/one-time/emailed-links.routes.ts'
import { authRoutes } from '../modules/auth/protocol/auth.routes.ts'
import type { Users } from './users.ts'

/** Mounts the routes for login, registration, account keys and auth sessions. Returns their background jobs. */
export async function mountAccounts(app: FastifyInstance, context: ServerContext, users: Users): Promise<Job[]> {
  const { config, db, version } = context
  const { provider, embedded, hosted, offers } = users
  if (!hosted) await authRoutes(app, { protocol: embedded.protocol, version })
  const deps = { ...context, ...users }
  const onSignIn = createFirstAdmin({
    ...context,
    admins: users.admins,
    emails: config.ADMIN_EMAILS,
    hasProvenAddress: users.hasProvenAddress,
  })
  const revealUnknown = config.AUTH_REVEAL_UNKNOWN_ACCOUNTS === 'on'
  accountRoutes(app, {
    ...deps,
    revealUnknown,
    onSignIn,
    async beforeDeletion(userId) {
      if ((await users.admins.removeBeforeDeletion(userId, context.now())) === 'last') throw apiError('LAST_ADMIN')
      // A hosted provider deletes its users itself.
      await users.organizations.endMembership(userId)
    },
  })
  invitationRoutes(app, { ...users.registration, invitations: createInvitationService({ ...context, offers }) })
  const accountKeys = createAccountKeysService({
    ...context,
    provider,
    keys: createAccountKeysStore(db),
    previousKeys: createPreviousKeysStore(db),
    recoveryKeys: createRecoveryKeysStore(db),
  })
  const deviceShares = createDeviceShares({ ...context, provider, store: createDeviceSharesStore(db) })
  accountKeyRoutes(app, { accountKeys, deviceShares })
  authSessionRoutes(app, { provider })
  activityRoutes(app, context)
  // A hosted provider does not tell which links were used, and rejects those.
  const getEmailStatus = hosted ? async () => 'unused' as const : embedded.getLinkStatus
  const getLinkStatus = async (token: string) => (await offers.getLinkStatus(token)) ?? getEmailStatus(token)
  emailedLinkRoutes(app, { ...context, getLinkStatus })
  backupCodeRoutes(app, { backupCodes: hosted ? noBackupCodes : embedded.backupCodes })
  return [
    deviceShares.cleanupJob,
    accountKeys.cleanupJob,
    createEndedAuthSessionsJob(users.stores, context.now, hosted ? authSessionLimits.absoluteMs : 0),
  ]
}

/**
 * Deletes ended auth sessions with their tokens. One-time tokens are kept for a while longer, and so are the auth sessions
 * of a hosted provider, which does not know that they were ended here.
 */
function createEndedAuthSessionsJob(stores: AuthStores, now: () => number, retentionMs: number): Job {
  const { authSessions, knownOrigins, signInHistory, oneTimeTokens, factors } = stores
  return {
    name: 'ended auth sessions',
    needsRightTime: true,
    everyMs: sweepLimits.everyMs,
    async run() {
      await authSessions.removeEnded(now() - retentionMs, sweepLimits.batch)
      await knownOrigins.removeExpired(now() - guessingLimits.knownOriginMs, sweepLimits.batch)
      await signInHistory.removeExpired(now() - signInHistoryLimits.retentionMs, sweepLimits.batch)
      await factors.removeExpiredChallenges(now(), sweepLimits.batch)
      await oneTimeTokens.removeExpired(now() - messageLimits.retentionMs, sweepLimits.batch)
    },
  }
}

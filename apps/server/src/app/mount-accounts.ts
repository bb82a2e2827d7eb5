import { messageLimits, signInLimits } from '@sallyport/contract/limits'
import { guessingLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import { accountKeyRoutes } from '../account-keys/account-keys.routes.ts'
import { createAccountKeys } from '../account-keys/account-keys.service.ts'
import { createAccountKeysStore } from '../account-keys/account-keys.store.ts'
import { createDeviceSharesStore } from '../account-keys/device-shares.store.ts'
import { createDeviceShares } from '../account-keys/device-shares.ts'
import { createPreviousKeysStore } from '../account-keys/previous-keys.store.ts'
import { createRecoveryKeysStore } from '../account-keys/recovery-keys.store.ts'
import { signInRoutes } from '../account-sign-ins/sign-ins.routes.ts'
import { accountRoutes } from '../accounts/accounts.routes.ts'
import { createRegistration } from '../accounts/registration.service.ts'
import { createAdminsStore } from '../admin/admins.store.ts'
import { createFirstAdmin } from '../admin/first-admin.ts'
import type { AuthStores } from '../auth/auth.store.ts'
import { backupCodeRoutes } from '../auth/factors/backup-codes.routes.ts'
import { noBackupCodes } from '../auth/factors/backup-codes.ts'
import { authRoutes } from '../auth/protocol/auth.routes.ts'
import { invitationRoutes } from '../invitations/invitations.routes.ts'
import { createInvitations } from '../invitations/invitations.service.ts'
import type { Job } from '../jobs/scheduler.ts'
import { createSecurityNotices } from '../post/security-notices.ts'
import type { Foundations } from './foundations.ts'
import type { People } from './people.ts'

interface Parts {
  readonly foundations: Foundations
  readonly people: People
  readonly version: string
}

/** Calls by which people come in, and keep their keys and sign-ins. Gives the jobs that come with them. */
export async function mountAccounts(app: FastifyInstance, { foundations, people, version }: Parts): Promise<Job[]> {
  const { config, db, now, bus, attempts, publicUrl, strict, onError, confirmAddresses } = foundations
  const { provider, embedded, hosted, accounts, licences, offers, post } = people
  if (!hosted) await authRoutes(app, { protocol: embedded.protocol, version })
  const { salts } = people
  const registrationsPerHour = config.REGISTRATIONS_PER_HOUR
  const entry = { provider, salts, attempts, confirmAddresses, registrationsPerHour, strict, now }
  const registration = createRegistration({ ...entry, post: post.office, offers, publicUrl })
  const onSignIn = createFirstAdmin({
    ...entry,
    admins: createAdminsStore(db),
    emails: config.ADMIN_EMAILS,
    // A provider elsewhere says itself which addresses are confirmed.
    hasProvenAddress: hosted ? async () => true : embedded.hasProvenAddress,
  })
  const revealUnknown = config.AUTH_REVEAL_UNKNOWN_ACCOUNTS === 'on'
  accountRoutes(app, { ...entry, accounts, licences, registration, revealUnknown, onSignIn })
  invitationRoutes(app, { invitations: createInvitations({ offers, attempts }), register: registration.register })
  const accountKeys = createAccountKeys({
    keys: createAccountKeysStore(db),
    previousKeys: createPreviousKeysStore(db),
    recoveryKeys: createRecoveryKeysStore(db),
    provider,
    attempts,
    notices: createSecurityNotices({ post: post.office, now, log: foundations.log }),
    now,
  })
  const deviceShares = createDeviceShares({ store: createDeviceSharesStore(db), provider, bus, now, onError })
  accountKeyRoutes(app, { accountKeys, deviceShares })
  signInRoutes(app, { provider })
  backupCodeRoutes(app, { backupCodes: hosted ? noBackupCodes : embedded.backupCodes })
  return [
    deviceShares.forgetOld,
    accountKeys.forgetOld,
    forgetEndedSignIns(people.stores, now, hosted ? signInLimits.absoluteMs : 0),
  ]
}

/**
 * Sign-ins that are over serve nobody; their tokens go with them. What was mailed is remembered for a while longer, and
 * so are sign-ins of a provider elsewhere, which does not know that they were ended here.
 */
function forgetEndedSignIns(stores: AuthStores, now: () => number, rememberedMs: number): Job {
  const { signIns, knownOrigins, oneTimeTokens, factors } = stores
  return {
    name: 'ended sign-ins',
    everyMs: sweepLimits.everyMs,
    async run() {
      await signIns.removeEnded(now() - rememberedMs, sweepLimits.batch)
      await knownOrigins.removeOld(now() - guessingLimits.knownOriginMs, sweepLimits.batch)
      await factors.removeEndedChallenges(now(), sweepLimits.batch)
      await oneTimeTokens.removeEnded(now() - messageLimits.rememberedMs, sweepLimits.batch)
    },
  }
}

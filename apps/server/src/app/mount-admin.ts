import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Job, Scheduler } from '../jobs.ts'
import { createEffectiveLicencesStore } from '../modules/accounts/licences/effective-licences.store.ts'
import { createEffectiveLicences } from '../modules/accounts/licences/effective-licences.ts'
import { adminRoutes } from '../modules/admin/admin.routes.ts'
import { analyticsRoutes } from '../modules/admin/analytics/analytics.routes.ts'
import { createAnalytics } from '../modules/admin/analytics/analytics.service.ts'
import { createAnalyticsStore } from '../modules/admin/analytics/analytics.store.ts'
import { createAuditStore } from '../modules/admin/audit/audit.store.ts'
import { createAudit } from '../modules/admin/audit/audit.ts'
import { createAuditCheck } from '../modules/admin/audit/audit-check.ts'
import { createLimitReads } from '../modules/admin/limit-reads.ts'
import { maintenanceRoutes } from '../modules/admin/maintenance/maintenance.routes.ts'
import { createMaintenance } from '../modules/admin/maintenance/maintenance.service.ts'
import { offersRoutes } from '../modules/admin/offers/offers.routes.ts'
import { createOffersService } from '../modules/admin/offers/offers.service.ts'
import { createOffersStore } from '../modules/admin/offers/offers.store.ts'
import { createMachine } from '../modules/admin/overview/machine.ts'
import { overviewRoutes } from '../modules/admin/overview/overview.routes.ts'
import { createOverview } from '../modules/admin/overview/overview.service.ts'
import { createOverviewStore } from '../modules/admin/overview/overview.store.ts'
import { createRequireProof } from '../modules/admin/require-proof.ts'
import { createAuditListStore } from '../modules/admin/security/audit-list.store.ts'
import { securityRoutes } from '../modules/admin/security/security.routes.ts'
import { createSecurity } from '../modules/admin/security/security.service.ts'
import { createSecurityStore } from '../modules/admin/security/security.store.ts'
import { endOfBan } from '../modules/admin/users/user-actions.rules.ts'
import { createUserActions } from '../modules/admin/users/user-actions.service.ts'
import { createUserDeletions } from '../modules/admin/users/user-deletions.service.ts'
import { createUserDeletionsStore } from '../modules/admin/users/user-deletions.store.ts'
import { createUserDetailStore } from '../modules/admin/users/user-detail.store.ts'
import { createUserListStore } from '../modules/admin/users/user-list.store.ts'
import { createUsersService } from '../modules/admin/users/users.service.ts'
import { catchAuthError } from '../modules/auth/hosted/hosted-client.ts'
import { createSweepStore } from '../modules/files/cleanup/sweep.store.ts'
import type { OnlineAccounts } from '../platform/realtime/online-accounts.ts'
import { mountBackup } from './mount-backup.ts'
import { createRemoveStoredFiles } from './remove-user.ts'
import type { Users } from './users.ts'

interface MountAdminOptions {
  readonly users: Users
  readonly online: OnlineAccounts
  readonly erase: Scheduler['erase']
  /** The environment of the server, a part of which its child processes inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Mounts the calls of the admin area. Returns its jobs. */
export async function mountAdmin(
  app: FastifyInstance,
  context: ServerContext,
  options: MountAdminOptions,
): Promise<Job[]> {
  const { users, online, erase, environment } = options
  const { db, secrets } = context
  const { admins, billing, licences, provider } = users
  const deletionsStore = createUserDeletionsStore(db)
  const usersService = createUsersService({
    ...context,
    ...users,
    ...online,
    users: users.stores.users,
    sellsPlans: billing !== null,
    canSync: users.stripe !== null,
    userList: createUserListStore(db),
    userDetails: createUserDetailStore(db),
    deletions: deletionsStore,
  })
  const audit = createAudit({ ...context, store: createAuditStore(db), key: secrets.audit })
  const deletions = createUserDeletions({
    ...context,
    store: deletionsStore,
    users: users.stores.users,
    steps: {
      async 'sign-ins'(userId) {
        // The user may be gone at a hosted provider.
        await catchAuthError('user_not_found', undefined, provider.setBan(userId, endOfBan(context.now())))
        await provider.endAuthSessions(userId)
      },
      organization: users.organizations.endMembership,
      subscription: async (userId) => billing?.endAll(userId),
      files: createRemoveStoredFiles({ ...context, sweepStore: createSweepStore(db) }),
      account: provider.deleteUser,
    },
  })
  app.addHook('onClose', deletions.stop)
  const actions = createUserActions({
    ...context,
    ...users,
    users: users.stores.users,
    usersService,
    billing,
    deletionsStore,
    deletions,
    audit,
  })
  const limitReads = createLimitReads(context)
  const requireProof = createRequireProof({ ...context, provider })
  adminRoutes(app, { admins, limitReads, requireProof, usersService, actions, billing: users.stripe && billing })
  offersRoutes(app, {
    limitReads,
    requireProof,
    offersService: createOffersService({ ...context, ...users, store: createOffersStore(db), audit }),
  })
  maintenanceRoutes(app, { requireProof, maintenance: createMaintenance({ ...context, admins, erase, audit }) })
  await mountBackup(app, context, { admins, audit, limitReads, requireProof, environment })
  const machine = createMachine()
  app.addHook('onClose', async () => machine.close())
  overviewRoutes(app, {
    limitReads,
    overview: createOverview({ ...context, store: createOverviewStore(db), machine }),
  })
  const effectiveLicences = createEffectiveLicences({ ...context, store: createEffectiveLicencesStore(db), licences })
  analyticsRoutes(app, { limitReads, analytics: createAnalytics({ ...context, store: createAnalyticsStore(db) }) })
  const auditCheck = createAuditCheck({ ...context, audit })
  const security = createSecurity({
    ...context,
    store: createSecurityStore(db),
    auditList: createAuditListStore(db),
    auditCheck,
  })
  securityRoutes(app, { limitReads, security })
  return [effectiveLicences.job, deletions.job, auditCheck.job]
}

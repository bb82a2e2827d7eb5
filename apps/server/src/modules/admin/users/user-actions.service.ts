import type { LicenceType } from '@sallyport/contract/accounts'
import { type AdminAction, isAccountName } from '@sallyport/contract/admin'
import { licenceLimits } from '@sallyport/contract/limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { formatDay } from '../../../format-day.ts'
import { addDays, defaultStorageBytes } from '../../accounts/licences/licence.rules.ts'
import type { LicencesStore } from '../../accounts/licences/licences.store.ts'
import { announceLicence, type Licences } from '../../accounts/licences/licences.ts'
import type { AuthProvider } from '../../auth/provider.ts'
import type { UsersStore } from '../../auth/users/users.store.ts'
import type { BillingService } from '../../billing/billing.service.ts'
import type { AdminsStore } from '../admins.store.ts'
import type { AuditTransaction } from '../audit/audit.store.ts'
import type { Audit, AuditEntry } from '../audit/audit.ts'
import { userName } from '../user-name.ts'
import { authorize, endOfBan } from './user-actions.rules.ts'
import type { UserDeletions } from './user-deletions.service.ts'
import type { UserDeletionsStore } from './user-deletions.store.ts'
import type { UsersService } from './users.service.ts'

interface UserActionsDeps extends Pick<ServerContext, 'mutex' | 'bus' | 'publishToAccount' | 'securityLog' | 'now'> {
  readonly usersService: Pick<UsersService, 'readSubject'>
  readonly admins: Pick<AdminsStore, 'isAdmin' | 'isAdminForUpdate' | 'add' | 'remove' | 'ban'>
  readonly users: Pick<UsersStore, 'setBan'>
  readonly licences: Pick<Licences, 'licenceOf'>
  readonly licencesStore: Pick<LicencesStore, 'grantByAdmin'>
  readonly provider: Pick<AuthProvider, 'setBan' | 'endAuthSessions'>
  /** Null where plans are not sold. */
  readonly billing: Pick<BillingService, 'cancel' | 'extend'> | null
  readonly deletionsStore: Pick<UserDeletionsStore, 'begin'>
  readonly deletions: Pick<UserDeletions, 'run'>
  readonly organizations: OwnershipTransfer
  readonly audit: Audit
}

/** The part of organizations that gives one of them another owner. */
interface OwnershipTransfer {
  /** Throws CONFLICT. Returns the id of the organization. */
  transferOwnership(
    input: { readonly ownerId: string; readonly toId: string; readonly now: number },
    transaction: AuditTransaction,
  ): Promise<string>
  announceChange(organizationId: string, userId: string): Promise<void>
}

/** The admin who acts, and the account that it is about. */
interface ActionInput {
  readonly actorId: string
  readonly userId: string
}

interface DeleteInput extends ActionInput {
  /** The name of the account as the admin has typed it. */
  readonly typedName: string | undefined
  /** Who owns the organization of the user from now on; null closes it. */
  readonly newOwnerId: string | null
}

type Account = Awaited<ReturnType<UsersService['readSubject']>>

/**
 * What admins do to accounts. Each action is allowed by the same rules that the page is given, and is recorded in the
 * audit log, also when it is not allowed. All return a message for the admin.
 */
export function createUserActions(deps: UserActionsDeps) {
  const { usersService, admins, users, licences, licencesStore, provider, billing, audit, mutex, securityLog, now } =
    deps

  const entryOf = (action: AdminAction, { actorId, userId }: ActionInput, details: AuditEntry['details'] = {}) =>
    ({ actorId, actorKind: 'admin', action: `user.${action}`, subjectId: userId, details }) satisfies AuditEntry

  /** Throws unless the rules allow the action, to someone who is still an admin: the call may have waited. */
  async function requireAllowed(action: AdminAction, { actorId, userId }: ActionInput): Promise<Account> {
    if (!(await admins.isAdmin(actorId))) throw apiError('FORBIDDEN')
    const account = await usersService.readSubject(actorId, userId)
    const code = authorize(action, account.subject)
    if (code === 'NO_SUBSCRIPTION') throw apiError(code, { text: 'This account has no subscription' })
    if (code !== null) throw apiError(code)
    return account
  }

  /** Changes of one account's licence wait for each other, because each one depends on the last. */
  const lock = <Result>({ actorId, userId }: ActionInput, step: () => Promise<Result>) =>
    mutex.runExclusive(`admin action|${userId}`, step, actorId)

  /** Runs an action whose change and whose row in the audit log are one transaction. */
  async function change(
    action: AdminAction,
    { entry, ...input }: ActionInput & { readonly entry: AuditEntry },
    step: (transaction: AuditTransaction, account: Account) => Promise<void>,
  ): Promise<Account> {
    const account = await audit.runCheck(entry, () => requireAllowed(action, input))
    await audit.run(entry, async (transaction) => {
      if (!(await admins.isAdminForUpdate(input.actorId, transaction))) throw apiError('FORBIDDEN')
      await step(transaction, account)
    })
    return account
  }

  async function setAdmin(action: 'promote' | 'demote', input: ActionInput): Promise<Account> {
    const account = await change(action, { ...input, entry: entryOf(action, input) }, async (transaction) => {
      if (action === 'promote') await admins.add(input.userId, now(), transaction)
      else if ((await admins.remove(input.userId, now(), transaction)) === 'last') throw apiError('LAST_ADMIN')
    })
    securityLog.record(action === 'promote' ? 'admin.added' : 'admin.removed', { userId: input.userId })
    deps.publishToAccount(input.userId, { type: 'admin.changed' })
    return account
  }

  /** Runs an action at the auth provider. */
  const administrate = (
    action: AdminAction,
    input: ActionInput,
    step: (account: Account) => Promise<string>,
  ): Promise<string> => audit.runOutside(entryOf(action, input), async () => step(await requireAllowed(action, input)))

  /** Bans here first, so that of two admins who ban each other one remains, and then at the auth provider. */
  async function ban({ actorId, userId }: ActionInput): Promise<void> {
    const until = endOfBan(now())
    const outcome = await admins.ban({ actorId, userId, until, now: now() })
    if (outcome === 'forbidden') throw apiError('FORBIDDEN')
    if (outcome === 'last') throw apiError('LAST_ADMIN')
    await provider.setBan(userId, until).catch(async (error: unknown) => {
      await users.setBan(userId, null)
      throw error
    })
  }

  /** Begins a deletion in the transaction of its row in the audit log, or finds that it has begun. */
  async function beginDeletion({ typedName, newOwnerId, ...input }: DeleteInput): Promise<Account> {
    const { userId } = input
    const entry = entryOf('delete', input, newOwnerId === null ? {} : { newOwnerId })
    let organizationId: string | null = null
    const account = await change('delete', { ...input, entry }, async (transaction, { user }) => {
      if (typedName !== undefined && !isAccountName(typedName, user)) throw apiError('NAME_DIFFERS')
      if ((await admins.remove(userId, now(), transaction)) === 'last') throw apiError('LAST_ADMIN')
      const hasBegun = await deps.deletionsStore.begin(userId, now(), transaction)
      if (newOwnerId !== null) {
        // The organization may be half closed by now.
        if (!hasBegun) throw apiError('CONFLICT')
        const transfer = { ownerId: userId, toId: newOwnerId, now: now() }
        organizationId = await deps.organizations.transferOwnership(transfer, transaction)
      }
    })
    if (organizationId !== null && newOwnerId !== null)
      await deps.organizations.announceChange(organizationId, newOwnerId)
    return account
  }

  async function extendLicence(input: ActionInput, entry: AuditEntry, days: number): Promise<number> {
    let end = 0
    await change('extend-licence', { ...input, entry }, async (transaction, { licence }) => {
      const { type, storageBytes, expiresAt } = licence
      if (expiresAt === null) throw apiError('LICENSE_UNLIMITED')
      end = addDays(days, Math.max(expiresAt, now()))
      const extended = { type, storageBytes, expiresAt: end }
      await licencesStore.grantByAdmin({ userId: input.userId, licence: extended, now: now() }, transaction)
    })
    announceLicence(deps, input.userId)
    return end
  }

  return {
    /** Deletes a user, or retries a deletion that has begun. */
    async delete(input: DeleteInput) {
      const { user } = await beginDeletion(input)
      const state = await deps.deletions.run(input.userId)
      const isDeleted = state === 'deleted'
      return { state, message: `${userName(user)} is ${isDeleted ? 'deleted' : 'signed out and being deleted'}.` }
    },
    async promote(input: ActionInput): Promise<string> {
      const { user } = await setAdmin('promote', input)
      return `${userName(user)} is an admin.`
    },
    async demote(input: ActionInput): Promise<string> {
      const { user } = await setAdmin('demote', input)
      return `${userName(user)} is no longer an admin.`
    },
    ban: (input: ActionInput): Promise<string> =>
      administrate('ban', input, async ({ user }) => {
        await ban(input)
        return `${userName(user)} is banned and signed out on all devices.`
      }),
    unban: (input: ActionInput): Promise<string> =>
      administrate('unban', input, async ({ user }) => {
        await provider.setBan(input.userId, null)
        return `${userName(user)} can sign in again.`
      }),
    signOut: (input: ActionInput): Promise<string> =>
      administrate('sign-out', input, async ({ user }) => {
        await provider.endAuthSessions(input.userId)
        return `${userName(user)} is signed out on all devices.`
      }),
    async setLicence(input: ActionInput & { readonly type: LicenceType }): Promise<string> {
      const { userId, type } = input
      const entry = entryOf('set-licence', input, { type })
      const expiresAt = type === 'trial' ? addDays(licenceLimits.trial.days, now()) : null
      const licence = { type, storageBytes: defaultStorageBytes(type), expiresAt }
      await lock(input, () =>
        change('set-licence', { ...input, entry }, (transaction) =>
          licencesStore.grantByAdmin({ userId, licence, now: now() }, transaction),
        ),
      )
      announceLicence(deps, userId)
      const { source } = await licences.licenceOf(userId)
      return source === 'admin' ? 'Saved.' : 'Saved. The paid plan counts until it ends.'
    },
    /** Adds days to the subscription or, without one, to the licence. */
    extend: (input: ActionInput & { readonly days: number }): Promise<string> =>
      lock(input, async () => {
        const { userId, days } = input
        const entry = entryOf('extend-licence', input, { days })
        const { subject } = await audit.runCheck(entry, () => requireAllowed('extend-licence', input))
        const end =
          subject.subscription && billing
            ? await audit.runOutside(entry, () => billing.extend(userId, days))
            : await extendLicence(input, entry, days)
        return `Extended by ${days} ${days === 1 ? 'day' : 'days'}, until ${formatDay(end)}.`
      }),
    async cancelSubscription(input: ActionInput): Promise<string> {
      const end = await audit.runOutside(entryOf('cancel-subscription', input), async () => {
        await requireAllowed('cancel-subscription', input)
        if (!billing) throw apiError('NO_SUBSCRIPTION', { text: 'This account has no subscription' })
        return billing.cancel(input.userId)
      })
      return `The plan stays until ${formatDay(end)}.`
    },
  }
}

export type UserActions = ReturnType<typeof createUserActions>

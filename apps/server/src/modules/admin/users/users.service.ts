import { activityLimits } from '@sallyport/contract/activity'
import type { UserSortKey } from '@sallyport/contract/admin'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { Licences } from '../../accounts/licences/licences.ts'
import type { UserRecord, UsersStore } from '../../auth/users/users.store.ts'
import type { BillingStore, StoredSubscription } from '../../billing/billing.store.ts'
import { blocksPurchase, currentSubscription } from '../../billing/subscription.rules.ts'
import type { AdminsStore } from '../admins.store.ts'
import { type ActionSubject, abilitiesOf, userStatus } from './user-actions.rules.ts'
import type { UserDeletionsStore } from './user-deletions.store.ts'
import type { UserDetailStore } from './user-detail.store.ts'
import type { UserFilter, UserListStore } from './user-list.store.ts'

interface OwnedOrganization {
  readonly name: string
  /** Members who could own it. */
  readonly candidates: readonly { readonly id: string; readonly email: string | null; readonly phone: string | null }[]
}

export interface UsersServiceDeps extends Pick<ServerContext, 'listActivity' | 'now'> {
  readonly users: Pick<UsersStore, 'find'>
  readonly admins: Pick<AdminsStore, 'isAdmin' | 'hasOther'>
  readonly userList: UserListStore
  readonly userDetails: UserDetailStore
  readonly deletions: Pick<UserDeletionsStore, 'find'>
  readonly organizations: { findOwned(userId: string): Promise<OwnedOrganization | null> }
  readonly licences: Pick<Licences, 'licenceOf'>
  readonly billingStore: Pick<BillingStore, 'subscriptionsOf'>
  /** Whether plans are sold here, and can be cancelled. */
  readonly sellsPlans: boolean
  /** Whether a payment provider can be asked for subscriptions. */
  readonly canSync: boolean
  /** Whether a page of the account is open. */
  readonly isOnline: (userId: string) => Promise<boolean>
}

interface ListInput extends UserFilter {
  readonly page: number
  readonly limit: number
  readonly sortBy: UserSortKey
  readonly order: 'asc' | 'desc'
}

/** What admins see of the accounts of this server: sizes, counts and times, never names or contents. */
export function createUsersService(deps: UsersServiceDeps) {
  const { users, admins, userList, userDetails, licences, billingStore, sellsPlans, listActivity, isOnline, now } = deps

  async function findUser(userId: string): Promise<UserRecord> {
    const user = await users.find(userId)
    if (!user || user.deleted_at !== null) throw apiError('NOT_FOUND')
    return user
  }

  const findSubscription = async (userId: string): Promise<StoredSubscription | null> =>
    currentSubscription(await billingStore.subscriptionsOf(userId, 'personal'))

  /** Reads what decides about actions on an account. Throws NOT_FOUND. */
  async function readSubject(actorId: string, userId: string) {
    const user = await findUser(userId)
    const licence = await licences.licenceOf(userId)
    const subscription = await findSubscription(userId)
    const subject: ActionSubject = {
      isSelf: actorId === userId,
      isAdmin: await admins.isAdmin(userId),
      hasOtherAdmin: await admins.hasOther(userId, now()),
      status: userStatus(user, now()),
      hasUnlimitedLicence: licence.expiresAt === null,
      subscription: sellsPlans && subscription && blocksPurchase(subscription) ? subscription : null,
    }
    return { user, licence, subscription, subject }
  }

  return {
    readSubject,
    async list({ page, limit, ...input }: ListInput) {
      const found = await userList.list({ ...input, limit, offset: (page - 1) * limit })
      return { ...found, users: found.users.map((user) => ({ ...user, status: userStatus(user, now()) })) }
    },
    /** Throws NOT_FOUND. */
    async show(actorId: string, userId: string) {
      const { subject, ...account } = await readSubject(actorId, userId)
      const details = await userDetails.find(userId, now())
      const activity = await listActivity(userId, activityLimits.perAdminPage)
      const lastActivity = Math.max(details.lastUsedAt ?? 0, activity[0]?.timestamp ?? 0)
      return {
        ...account,
        ...details,
        activity,
        status: subject.status,
        isAdmin: subject.isAdmin,
        isOnline: await isOnline(userId),
        organization: await deps.organizations.findOwned(userId),
        deletion: await deps.deletions.find(userId),
        lastActivity: lastActivity === 0 ? account.user.last_sign_in_at : lastActivity,
        abilities: abilitiesOf(subject),
        canSync: deps.canSync,
      }
    },
    /** The subscription of an account as last stored; null without one. Throws NOT_FOUND. */
    async subscriptionOf(userId: string): Promise<StoredSubscription | null> {
      await findUser(userId)
      return findSubscription(userId)
    },
  }
}

export type UsersService = ReturnType<typeof createUsersService>

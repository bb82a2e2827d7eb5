import { adminLimits, admin as contract } from '@sallyport/contract/admin'
import type { FastifyInstance } from 'fastify'
import { apiError } from '../../errors.ts'
import type { Account } from '../../platform/http/caller.ts'
import { mount } from '../../platform/http/mount.ts'
import type { BillingService } from '../billing/billing.service.ts'
import type { AdminsStore } from './admins.store.ts'
import type { LimitReads } from './limit-reads.ts'
import type { RequireProof } from './require-proof.ts'
import type { UserActions } from './users/user-actions.service.ts'
import { toListedUser, toSubscriptionFields, toUserDetail } from './users/user-replies.ts'
import type { UsersService } from './users/users.service.ts'

interface AdminRoutesDeps {
  readonly limitReads: LimitReads
  /** Null where no payment provider can be asked. */
  readonly billing: Pick<BillingService, 'sync'> | null
  readonly admins: Pick<AdminsStore, 'isAdmin'>
  readonly requireProof: RequireProof
  readonly usersService: UsersService
  readonly actions: UserActions
}

/** Mounts the calls of the admin area. */
export function adminRoutes(app: FastifyInstance, deps: AdminRoutesDeps): void {
  mount(app, contract.status, async ({ caller }) => ({ is_admin: await deps.admins.isAdmin(caller.account.userId) }))
  mountUsers(app, deps)
  mountActions(app, deps)
}

function mountUsers(app: FastifyInstance, { limitReads, billing, usersService }: AdminRoutesDeps): void {
  mount(app, contract.users, async ({ caller, query }) => {
    await limitReads(caller.account)
    const { page = 1, limit = adminLimits.usersPerPage } = query
    const { users, total } = await usersService.list({
      page,
      limit,
      sortBy: query.sort_by ?? 'created_at',
      order: query.sort_order ?? 'desc',
      search: query.search ?? '',
      licence: query.license_type ?? 'all',
    })
    return { users: users.map(toListedUser), pagination: { page, limit, total } }
  })

  mount(app, contract.user, async ({ caller, params }) => {
    await limitReads(caller.account)
    return toUserDetail(await usersService.show(caller.account.userId, params.id))
  })

  mount(app, contract.userSubscription, async ({ caller, params }) => {
    await limitReads(caller.account)
    return { subscription: toSubscriptionFields(await usersService.subscriptionOf(params.id)) }
  })

  mount(app, contract.syncUserSubscription, async ({ caller, params }) => {
    await limitReads(caller.account)
    // Throws for an account that does not exist.
    await usersService.subscriptionOf(params.id)
    if (!billing) throw apiError('PAYMENTS_OFF')
    await billing.sync(params.id)
    return { message: 'The subscription is as Stripe has it.' }
  })
}

function mountActions(app: FastifyInstance, { requireProof, actions }: AdminRoutesDeps): void {
  /** Returns who acts on whom, once the admin has recently proven who they are. */
  async function authorizeChange(account: Account, { id: userId }: { readonly id: string }) {
    await requireProof(account)
    return { actorId: account.userId, userId }
  }

  mount(app, contract.cancelUserSubscription, async ({ caller, params }) => ({
    message: await actions.cancelSubscription(await authorizeChange(caller.account, params)),
  }))
  mount(app, contract.extendUserSubscription, async ({ caller, params, body }) => ({
    message: await actions.extend({ ...(await authorizeChange(caller.account, params)), days: body.days }),
  }))
  mount(app, contract.setUserLicence, async ({ caller, params, body }) => ({
    message: await actions.setLicence({ ...(await authorizeChange(caller.account, params)), type: body.license_type }),
  }))
  mount(app, contract.promoteUser, async ({ caller, params }) => ({
    message: await actions.promote(await authorizeChange(caller.account, params)),
  }))
  mount(app, contract.demoteUser, async ({ caller, params }) => ({
    message: await actions.demote(await authorizeChange(caller.account, params)),
  }))
  mount(app, contract.banUser, async ({ caller, params }) => ({
    message: await actions.ban(await authorizeChange(caller.account, params)),
  }))
  mount(app, contract.unbanUser, async ({ caller, params }) => ({
    message: await actions.unban(await authorizeChange(caller.account, params)),
  }))
  mount(app, contract.deleteUser, async ({ caller, params, body }) => {
    const organization = body?.organization
    return actions.delete({
      ...(await authorizeChange(caller.account, params)),
      typedName: body?.email,
      newOwnerId: organization && 'to' in organization ? organization.to : null,
    })
  })
  mount(app, contract.signUserOut, async ({ caller, params }) => ({
    message: await actions.signOut(await authorizeChange(caller.account, params)),
  }))
}

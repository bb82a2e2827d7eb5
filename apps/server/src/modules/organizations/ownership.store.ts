import { organizationLimits } from '@sallyport/contract/limits'
import { apiError } from '../../errors.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'
import { markStale } from '../accounts/licences/effective-licences.store.ts'
import { grantSources } from './memberships.store.ts'
import { lockOrganization } from './organization-lock.store.ts'

export interface TransferInput {
  readonly ownerId: string
  /** The new owner. */
  readonly toId: string
  readonly now: number
}

/** SQL that gives an organization another owner. */
export function createOwnershipStore(db: Database) {
  return {
    /** The members who could own the organization of this user; null if they own none. */
    async find(ownerId: string, now: number) {
      const owned = db.selectFrom('organizations').select(['id', 'name']).where('owner_id', '=', ownerId)
      const organization = await owned.executeTakeFirst()
      return organization ? { ...organization, candidates: await candidatesOf(db, organization.id, now) } : null
    },
    /**
     * Makes a member the owner, with what is paid and was granted for the seats. The previous owner stays a member. Throws
     * CONFLICT if the one owns nothing or the other cannot own it. Returns the id of the organization.
     */
    async transfer({ ownerId, toId, now }: TransferInput, transaction: DatabaseTransaction): Promise<string> {
      const owned = transaction.selectFrom('organizations').select('id').where('owner_id', '=', ownerId)
      const id = (await owned.executeTakeFirst())?.id
      if (id === undefined || !(await lockOrganization(transaction, id))) throw apiError('CONFLICT')
      const candidates = await candidatesOf(transaction, id, now)
      if (!candidates.some((candidate) => candidate.id === toId)) throw apiError('CONFLICT')
      await transaction.updateTable('organizations').set({ owner_id: toId }).where('id', '=', id).execute()
      const roles = { owner: toId, member: ownerId }
      for (const [role, userId] of Object.entries(roles))
        await transaction.updateTable('organization_members').set({ role }).where('user_id', '=', userId).execute()
      const subscriptions = transaction.updateTable('billing_subscriptions').set({ user_id: toId })
      await subscriptions.where('organization_id', '=', id).execute()
      await moveGrants(transaction, { ownerId, toId, now })
      return id
    },
  }
}

export type OwnershipStore = ReturnType<typeof createOwnershipStore>

/** The members other than the owner who can sign in. */
const candidatesOf = (db: Database | DatabaseTransaction, organizationId: string, now: number) =>
  db
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .select(['users.id', 'email', 'phone'])
    .where('organization_id', '=', organizationId)
    .where('role', '!=', 'owner')
    .where('deleted_at', 'is', null)
    .where('deleting_since', 'is', null)
    .where(({ eb, or }) => or([eb('banned_until', 'is', null), eb('banned_until', '<=', now)]))
    .orderBy('joined_at')
    .orderBy('users.id')
    .limit(organizationLimits.seats)
    .execute()

/** Moves granted business licences, and the claims that say how many seats they give. */
async function moveGrants(transaction: DatabaseTransaction, { ownerId, toId }: TransferInput): Promise<void> {
  const grants = await transaction
    .deleteFrom('licences')
    .where('user_id', '=', ownerId)
    .where('type', '=', 'business')
    .where('source', 'in', grantSources)
    .returningAll()
    .execute()
  for (const grant of grants) {
    const { type, storage_limit_bytes, expires_at, updated_at } = grant
    await transaction
      .insertInto('licences')
      .values({ ...grant, user_id: toId })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'source']).doUpdateSet({ type, storage_limit_bytes, expires_at, updated_at }),
      )
      .execute()
    await markStale(transaction, toId, type)
  }
  const claimedByNewOwner = transaction.selectFrom('licence_claims').select('offer_id').where('user_id', '=', toId)
  await transaction
    .updateTable('licence_claims')
    .set({ user_id: toId })
    .where('user_id', '=', ownerId)
    .where('offer_id', 'in', transaction.selectFrom('licence_offers').select('id').where('type', '=', 'business'))
    .where('offer_id', 'not in', claimedByNewOwner)
    .execute()
}

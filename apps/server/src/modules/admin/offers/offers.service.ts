import { randomUUIDv7 } from 'node:crypto'
import { type OfferedLicence, type OfferState, offerLimits } from '@sallyport/contract/admin-offers'
import { licenceLimits } from '@sallyport/contract/limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { defaultStorageBytes } from '../../accounts/licences/licence.rules.ts'
import type { LicenceOffers } from '../../accounts/licences/licence-offers.ts'
import type { AdminsStore } from '../admins.store.ts'
import type { AuditTransaction } from '../audit/audit.store.ts'
import type { Audit, AuditEntry } from '../audit/audit.ts'
import type { OffersStore } from './offers.store.ts'

interface OffersDeps extends Pick<ServerContext, 'publicUrl' | 'now'> {
  readonly store: OffersStore
  readonly offers: Pick<LicenceOffers, 'createLink'>
  readonly admins: Pick<AdminsStore, 'isAdminForUpdate'>
  readonly audit: Audit
}

interface NewLink {
  readonly actorId: string
  readonly type: OfferedLicence
  /** For admins only; empty for none. */
  readonly description: string
  readonly expiryDays: number
  readonly storageGigabytes: number | undefined
  readonly seats: number | undefined
}

const gigabyte = 1024 ** 3
const dayMs = 24 * 3_600_000

/** Invitations that admins create and end. Each change is recorded in the audit log. */
export function createOffersService({ store, offers, admins, audit, publicUrl, now }: OffersDeps) {
  /** Runs a change together with its row in the audit log, for someone who is still an admin: the call may have waited. */
  const change = <Result>(entry: AuditEntry, step: (transaction: AuditTransaction) => Promise<Result>) =>
    audit.run(entry, async (transaction) => {
      if (entry.actorId === null || !(await admins.isAdminForUpdate(entry.actorId, transaction)))
        throw apiError('FORBIDDEN')
      return step(transaction)
    })

  return {
    async list() {
      const listed = await store.list(offerLimits.listed)
      return listed.map((offer) => ({ ...offer, state: stateOf(offer, now()) }))
    },

    /** Creates an invitation for one account. Its link is returned, and not stored. */
    async createLink({ actorId, type, description, expiryDays, storageGigabytes, seats: wanted }: NewLink) {
      const id = randomUUIDv7()
      const storageBytes = storageGigabytes === undefined ? defaultStorageBytes(type) : storageGigabytes * gigabyte
      const seats = type === 'business' ? (wanted ?? licenceLimits.fewestSeats) : null
      const endsAt = now() + expiryDays * dayMs
      const details = { type, storageBytes, ...(seats !== null && { seats }), expiryDays }
      const token = await change(entryOf('offer.create-link', actorId, id, details), (transaction) => {
        const terms = { type, storageBytes, days: null, seats, uses: 1 }
        return offers.createLink(terms, null, { id, transaction, endsAt, description: description.trim() || null })
      })
      return { link: new URL(`/invite/${token}`, publicUrl).href, endsAt }
    },

    /** Throws NOT_FOUND. */
    async end({ actorId, id }: { readonly actorId: string; readonly id: string }): Promise<void> {
      await change(entryOf('offer.end', actorId, id), async (transaction) => {
        if (!(await store.end(id, now(), transaction))) throw apiError('NOT_FOUND')
      })
    },
  }
}

export type OffersService = ReturnType<typeof createOffersService>

const entryOf = (
  action: string,
  actorId: string,
  subjectId: string,
  details: AuditEntry['details'] = {},
): AuditEntry => ({ actorId, actorKind: 'admin', action, subjectId, details })

interface OfferTimes {
  readonly claimed: number
  readonly uses: number
  readonly ends_at: number | null
}

function stateOf({ claimed, uses, ends_at: endsAt }: OfferTimes, now: number): OfferState {
  if (claimed >= uses) return 'claimed'
  return endsAt !== null && endsAt <= now ? 'expired' : 'open'
}

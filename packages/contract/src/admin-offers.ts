import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByteCount, EpochMs, Id, Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

export const offerLimits = {
  descriptionCharacters: 200,
  /** How many days the link of an invitation works at most, and by default. */
  expiryDays: 30,
  storageGigabytes: 100_000,
  seats: 1000,
  /** How many offers are listed, the newest first. */
  listed: 100,
} as const

/** The licences that an invitation can give. A trial needs none. */
export const OfferedLicence = z.enum(['vip', 'nonprofit', 'personal', 'business'])
export type OfferedLicence = z.output<typeof OfferedLicence>

export const OfferState = z.enum(['open', 'claimed', 'expired'])
export type OfferState = z.output<typeof OfferState>

const between = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most))

const Offer = z.object({
  id: Id,
  kind: z.enum(['key', 'link']),
  state: OfferState,
  license_type: LicenceType,
  storage_limit_bytes: ByteCount,
  /** Null except for business. */
  seats: z.nullable(z.int()),
  /** What an admin has noted, for admins only. */
  description: z.nullable(z.string()),
  uses: z.int(),
  /** How many accounts have claimed it. */
  claimed: z.int(),
  created_at: EpochMs,
  /** Null for a key that works until it is used. */
  ends_at: z.nullable(EpochMs),
})
export type Offer = z.output<typeof Offer>

/** Invitations that give a licence: magic links and licence keys. */
export const adminOffers = {
  createMagicLink: endpoint({
    method: 'POST',
    path: '/api/admin/magic-link',
    summary: 'Create the link of an invitation with a licence; it is in this answer alone',
    access: 'admin',
    body: z.object({
      /** VIP without one. */
      license_type: z.optional(OfferedLicence),
      description: z.optional(z.string().check(z.maxLength(offerLimits.descriptionCharacters))),
      expiry_days: z.optional(between(1, offerLimits.expiryDays)),
      /** What the licence has by default without it. */
      storage_gb: z.optional(between(1, offerLimits.storageGigabytes)),
      /** For business only; 5 without it. */
      seats: z.optional(between(1, offerLimits.seats)),
    }),
    reply: z.object({ success: Succeeded, magic_link: z.string(), expires_at: EpochMs }),
    errors: ['PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  offers: endpoint({
    method: 'GET',
    path: '/api/admin/offers',
    summary: 'List the newest invitations and licence keys, without their secrets',
    access: 'admin',
    reply: z.object({ success: Succeeded, offers: z.array(Offer).check(z.maxLength(offerLimits.listed)) }),
    errors: ['RATE_LIMITED'],
  }),
  endOffer: endpoint({
    method: 'DELETE',
    path: '/api/admin/offers/:id',
    summary: 'End an invitation or licence key; the accounts that have claimed it keep their licence',
    access: 'admin',
    params: z.object({ id: Id }),
    reply: z.object({ success: Succeeded, message: z.string() }),
    errors: ['NOT_FOUND', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
}

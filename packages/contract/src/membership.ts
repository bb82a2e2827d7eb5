import * as z from 'zod/mini'
import { anyAccount, endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded } from './fields.ts'
import { InvitedRole, OrganizationRole, OrganizationStatus } from './organization-roles.ts'

/** Every signed-in page makes this call; the other ones of organizations are loaded when they are needed. */
export const membership = endpoint({
  method: 'GET',
  path: '/api/organization/membership',
  summary: 'Get the organization that I belong to, and the invitations to my proven address',
  ...anyAccount,
  reply: z.object({
    success: Succeeded,
    organization: z.nullable(
      z.object({
        id: Id,
        name: z.string(),
        role: OrganizationRole,
        status: OrganizationStatus,
        /** When my seat ends or, if it has ended, when it did; null for no end. */
        ends_at: z.nullable(EpochMs),
      }),
    ),
    /** The newest first. */
    invitations: z.array(z.object({ id: Id, organization_name: z.string(), role: InvitedRole })),
  }),
})

import * as z from 'zod/mini'

export const OrganizationRole = z.enum(['owner', 'admin', 'member'])
export type OrganizationRole = z.output<typeof OrganizationRole>

/** The roles that an invitation or the owner can give. */
export const InvitedRole = z.enum(['admin', 'member'])
export type InvitedRole = z.output<typeof InvitedRole>

/** The state of the plan that an organization pays for or was granted. */
export const OrganizationStatus = z.enum(['active', 'ending', 'past_due', 'ended'])
export type OrganizationStatus = z.output<typeof OrganizationStatus>

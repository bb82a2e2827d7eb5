import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Succeeded } from './fields.ts'

/** Whether the link of an email still works. A link that is unknown or was replaced by a newer one counts as expired. */
export const EmailedLinkStatus = z.enum(['unused', 'used', 'expired'])
export type EmailedLinkStatus = z.output<typeof EmailedLinkStatus>

/** Links of emails, which the auth protocol can only use. */
export const emailedLinks = {
  status: endpoint({
    method: 'POST',
    path: '/api/emailed-link-status',
    summary: 'Get whether the link of an email still works, without using it',
    access: 'anyone',
    body: z.object({ token: z.string().check(z.maxLength(256)) }),
    reply: z.object({ success: Succeeded, status: EmailedLinkStatus }),
    errors: ['RATE_LIMITED'],
  }),
}

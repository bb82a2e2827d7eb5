import * as z from 'zod/mini'
import { RegistrationReply, registrationErrors } from './accounts.ts'
import { anyAccount, endpoint } from './endpoint.ts'
import { Credential, Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

/** The secret token of an invitation link. */
const Token = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,128}$/))

/** Invitations that grant an account a licence. */
export const invitations = {
  validateMagicLink: endpoint({
    method: 'GET',
    path: '/api/validate-magic-link/:token',
    summary: 'Get the licence of an invitation without using it',
    access: 'anyone',
    params: z.object({ token: z.string().check(z.maxLength(256)) }),
    reply: z.object({
      success: Succeeded,
      type: LicenceType,
      storage_gb: z.number(),
      seats: z.nullable(z.int()),
      /** How long the licence lasts from the claim; null for no end. */
      days: z.nullable(z.int()),
    }),
    errors: ['INVITATION_INVALID', 'RATE_LIMITED'],
  }),
  claim: endpoint({
    method: 'POST',
    path: '/api/claim-license',
    summary: 'Add the licence of an invitation or of a licence key to my account',
    ...anyAccount,
    /** One of both. */
    body: z.object({
      magicToken: z.optional(Token),
      licenseKey: z.optional(z.string().check(z.maxLength(64))),
    }),
    reply: z.object({ success: Succeeded, license_type: LicenceType }),
    errors: ['INVITATION_INVALID', 'LICENSE_KEY_INVALID', 'LICENSE_KEY_USED', 'RATE_LIMITED'],
  }),
  registerWithMagicLink: endpoint({
    method: 'POST',
    path: '/api/register-with-magic-link',
    summary: 'Create an account with the licence of an invitation',
    access: 'anyone',
    body: z.object({
      email: z.string().check(z.maxLength(320)),
      password: Credential,
      magicToken: Token,
    }),
    reply: RegistrationReply,
    errors: [...registrationErrors, 'INVITATION_INVALID', 'RATE_LIMITED'],
  }),
}

import * as z from 'zod/mini'
import { AuthSession } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded } from './fields.ts'

const SignIn = z.object({
  id: Id,
  /** The one that asks. */
  current: z.boolean(),
  /** As the browser named itself; may be empty. */
  userAgent: z.string(),
  remembered: z.boolean(),
  createdAt: EpochMs,
  lastUsedAt: EpochMs,
  endsAt: EpochMs,
})

/** The devices an account is signed in on, and the second factor's backup codes. */
export const signIns = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/sign-ins',
    summary: 'Where I am signed in, latest first',
    access: 'account',
    without: ['licence'],
    reply: z.object({ success: Succeeded, signIns: z.array(SignIn) }),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/account/sign-ins/:id',
    summary: 'End one of my sign-ins',
    access: 'account',
    without: ['licence'],
    params: z.object({ id: Id }),
    reply: z.object({ success: Succeeded }),
    errors: ['SIGN_IN_NOT_FOUND'],
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/api/account/sign-ins',
    summary: 'End all of my sign-ins but this one',
    access: 'account',
    without: ['licence'],
    reply: z.object({ success: Succeeded, ended: z.int() }),
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/account/reauthenticate',
    summary: 'Show my current password in this sign-in, before a change to what protects my account',
    access: 'account',
    without: ['licence'],
    body: z.object({ password: z.string().check(z.maxLength(1024)) }),
    reply: z.object({ success: Succeeded, freshForMs: z.int() }),
    errors: ['PASSWORD_INVALID', 'RATE_LIMITED', 'UNAVAILABLE'],
  }),
  backupCodes: endpoint({
    method: 'GET',
    path: '/api/account/backup-codes',
    summary: 'How many of my backup codes are left',
    access: 'account',
    reply: z.object({ success: Succeeded, left: z.int() }),
  }),
  makeBackupCodes: endpoint({
    method: 'POST',
    path: '/api/account/backup-codes',
    summary: 'New backup codes in place of the old ones, shown this once',
    access: 'account',
    reply: z.object({ success: Succeeded, codes: z.array(z.string()) }),
    errors: ['MFA_REQUIRED', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  useBackupCode: endpoint({
    method: 'POST',
    path: '/api/auth/backup-code',
    summary: 'Complete a sign-in with a backup code in place of the second factor',
    access: 'account',
    without: ['second-factor', 'licence'],
    body: z.object({ code: z.string().check(z.maxLength(64)) }),
    reply: z.object({ success: Succeeded, session: AuthSession }),
    errors: ['BACKUP_CODE_INVALID', 'RATE_LIMITED'],
  }),
}

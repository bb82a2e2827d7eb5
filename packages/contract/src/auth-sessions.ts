import * as z from 'zod/mini'
import { mfaLimits } from './account-limits.ts'
import { AuthSession } from './auth.ts'
import { anyAccount, endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded } from './fields.ts'

const ListedAuthSession = z.object({
  id: Id,
  /** The auth session of this request. */
  current: z.boolean(),
  /** The browser's user agent; may be empty. */
  userAgent: z.string(),
  remembered: z.boolean(),
  createdAt: EpochMs,
  lastUsedAt: EpochMs,
  endsAt: EpochMs,
})

/** The list of an account's sign-ins: how many it has at most, and for how long. */
export const signInHistoryLimits = { entries: 50, retentionMs: 90 * 24 * 3_600_000 } as const

const PastSignIn = z.object({
  id: Id,
  /** The browser's user agent; may be empty. */
  userAgent: z.string(),
  signedInAt: EpochMs,
})

/** The auth sessions of an account, and the backup codes of two-factor authentication. */
export const authSessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/sign-ins',
    summary: 'List my signed-in devices, latest first',
    ...anyAccount,
    reply: z.object({ success: Succeeded, signIns: z.array(ListedAuthSession) }),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/account/sign-in-history',
    summary: 'List the sign-ins to my account of the last 90 days, at most 50, latest first',
    ...anyAccount,
    reply: z.object({
      success: Succeeded,
      signIns: z.array(PastSignIn).check(z.maxLength(signInHistoryLimits.entries)),
    }),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/account/sign-ins/:id',
    summary: 'Sign out one of my devices',
    ...anyAccount,
    params: z.object({ id: Id }),
    reply: z.object({ success: Succeeded }),
    errors: ['SIGN_IN_NOT_FOUND'],
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/api/account/sign-ins',
    summary: 'Sign out all of my devices except this one',
    ...anyAccount,
    reply: z.object({ success: Succeeded, ended: z.int() }),
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/account/reauthenticate',
    summary: 'Verify my current password in this session, before a change of my account’s security settings',
    ...anyAccount,
    body: z.object({ password: z.string().check(z.maxLength(1024)) }),
    reply: z.object({ success: Succeeded, freshForMs: z.int() }),
    errors: ['PASSWORD_INVALID', 'RATE_LIMITED', 'UNAVAILABLE'],
  }),
  backupCodes: endpoint({
    method: 'GET',
    path: '/api/account/backup-codes',
    summary: 'Get how many of my backup codes are left',
    access: 'account',
    reply: z.object({ success: Succeeded, left: z.int() }),
  }),
  makeBackupCodes: endpoint({
    method: 'POST',
    path: '/api/account/backup-codes',
    summary: 'Create new backup codes that replace the old ones; they are returned only once',
    access: 'account',
    reply: z.object({ success: Succeeded, codes: z.array(z.string()) }),
    errors: ['MFA_REQUIRED', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  useBackupCode: endpoint({
    method: 'POST',
    path: '/api/auth/backup-code',
    summary: 'Complete a sign-in with a backup code instead of the second factor',
    access: 'account',
    allowWithout: ['second-factor', 'licence'],
    body: z.object({ code: z.string().check(z.maxLength(mfaLimits.typedBackupCodeCharacters)) }),
    reply: z.object({ success: Succeeded, session: AuthSession }),
    errors: ['BACKUP_CODE_INVALID', 'RATE_LIMITED'],
  }),
}

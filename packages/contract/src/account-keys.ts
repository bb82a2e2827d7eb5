import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded } from './fields.ts'

export const KeySlot = z.object({
  slot: z.int(),
  keyVersion: z.int(),
  profile: z.int(),
  /** Base64url of the 60 bytes that hold the account key, wrapped. */
  wrappedKey: z.string(),
})
/** A wrapped key that was in use before. */
const PreviousKey = z.object({
  id: Id,
  keyVersion: z.int(),
  profile: z.int(),
  wrappedKey: z.string(),
  replacedAt: EpochMs,
})

export type KeySlot = z.output<typeof KeySlot>

const WrappedAccountKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{80}$/))

const NewKey = z.object({
  keyVersion: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  profile: z.int().check(z.minimum(1), z.maximum(99)),
  wrappedKey: WrappedAccountKey,
})

/** Whoever has to choose a plan first still opens what they have. */
const without = ['licence'] as const

/** The account key and every way back to it: by password, by recovery key, by a remembered device. */
export const accountKeys = {
  keys: endpoint({
    method: 'GET',
    path: '/api/account/keys',
    summary: 'My account key, wrapped so that only my password or my recovery key opens it; no slots before the first',
    access: 'account',
    without,
    reply: z.object({
      success: Succeeded,
      slots: z.array(KeySlot),
      recovery: z.nullable(z.object({ keyVersion: z.int(), wrappedKey: z.string(), createdAt: EpochMs })),
    }),
  }),
  createKeys: endpoint({
    method: 'PUT',
    path: '/api/account/keys',
    summary: 'Keep my wrapped account key; refused when there already is one',
    access: 'account',
    without,
    headers: z.object({ 'if-none-match': z.optional(z.string()) }),
    body: z.object({ ...NewKey.shape, keyVersion: z.literal(1) }),
    reply: z.object({ success: Succeeded }),
    errors: ['KEYS_EXIST', 'PRECONDITION_REQUIRED'],
  }),
  stageKeys: endpoint({
    method: 'POST',
    path: '/api/account/keys/staged',
    summary:
      'Lay the account key, wrapped under a new password, beside the present one; a new account key, told by the next ' +
      'version, only after a recovery mail',
    access: 'account',
    without,
    body: NewKey,
    reply: z.object({ success: Succeeded, slot: z.int() }),
    errors: ['CONFLICT', 'PASSWORD_PROOF_REQUIRED', 'RECOVERY_REQUIRED'],
  }),
  commitKeys: endpoint({
    method: 'POST',
    path: '/api/account/keys/commit',
    summary:
      'Take the key of one slot into use and drop the others; remembered devices have to unlock again, and what an ' +
      'earlier account key sealed counts as lost',
    access: 'account',
    without,
    body: z.object({ slot: z.int().check(z.positive()) }),
    reply: z.object({ success: Succeeded, lostFiles: z.int() }),
    errors: ['KEYS_NOT_STAGED', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  previousKeys: endpoint({
    method: 'GET',
    path: '/api/account/keys/previous',
    summary: 'My wrapped account keys that were replaced within 30 days, latest first',
    access: 'account',
    without,
    reply: z.object({ success: Succeeded, previous: z.array(PreviousKey) }),
    errors: ['PASSWORD_PROOF_REQUIRED'],
  }),
  restoreKeys: endpoint({
    method: 'POST',
    path: '/api/account/keys/restore',
    summary: 'Take a wrapped account key that was replaced into use again; the present one can be restored in turn',
    access: 'account',
    without,
    body: z.object({ id: Id }),
    reply: z.object({ success: Succeeded }),
    errors: ['NOT_FOUND', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  saveRecoveryKey: endpoint({
    method: 'PUT',
    path: '/api/account/recovery-key',
    summary: 'Keep my account key wrapped under a recovery key, in place of an earlier one',
    access: 'account',
    without,
    body: z.object({ keyVersion: z.int(), wrappedKey: WrappedAccountKey }),
    reply: z.object({ success: Succeeded }),
    errors: ['CONFLICT', 'PASSWORD_PROOF_REQUIRED'],
  }),
  removeRecoveryKey: endpoint({
    method: 'DELETE',
    path: '/api/account/recovery-key',
    summary: 'Make my recovery key worthless',
    access: 'account',
    without,
    reply: z.object({ success: Succeeded }),
    errors: ['PASSWORD_PROOF_REQUIRED'],
  }),
  rememberDevice: endpoint({
    method: 'POST',
    path: '/api/device-unlock',
    summary: "The server's share of what unlocks this device while its remembered sign-in lasts",
    access: 'account',
    without,
    reply: z.object({ success: Succeeded, deviceId: Id, share: z.string() }),
    errors: ['FORBIDDEN'],
  }),
  deviceShare: endpoint({
    method: 'GET',
    path: '/api/device-unlock',
    summary: 'The share of this sign-in once more',
    access: 'account',
    without,
    reply: z.object({ success: Succeeded, deviceId: Id, share: z.string() }),
    errors: ['DEVICE_NOT_REMEMBERED'],
  }),
  forgetDevice: endpoint({
    method: 'DELETE',
    path: '/api/device-unlock',
    summary: 'Make what this device keeps worthless',
    access: 'account',
    without,
    reply: z.object({ success: Succeeded }),
  }),
}

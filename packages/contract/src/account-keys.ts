import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded } from './fields.ts'

export const KeySlot = z.object({
  slot: z.int(),
  keyVersion: z.int(),
  profile: z.int(),
  /** Base64url of the 60 bytes of the wrapped account key. */
  wrappedKey: z.string(),
})
/** A wrapped key that was replaced. */
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

/** Callers without a valid licence can still open what they have stored. */
const allowWithout = ['licence'] as const

/** The wrapped account key: by password, by recovery key, by a remembered device. */
export const accountKeys = {
  keys: endpoint({
    method: 'GET',
    path: '/api/account/keys',
    summary: 'Get my account key, wrapped by my password and my recovery key; no slots before the first key',
    access: 'account',
    allowWithout,
    reply: z.object({
      success: Succeeded,
      slots: z.array(KeySlot),
      recovery: z.nullable(z.object({ keyVersion: z.int(), wrappedKey: z.string(), createdAt: EpochMs })),
    }),
  }),
  createKeys: endpoint({
    method: 'PUT',
    path: '/api/account/keys',
    summary: 'Store my first wrapped account key; an error if there is one already',
    access: 'account',
    allowWithout,
    headers: z.object({ 'if-none-match': z.optional(z.string()) }),
    body: z.object({ ...NewKey.shape, keyVersion: z.literal(1) }),
    reply: z.object({ success: Succeeded }),
    errors: ['KEYS_EXIST', 'PRECONDITION_REQUIRED'],
  }),
  stageKeys: endpoint({
    method: 'POST',
    path: '/api/account/keys/staged',
    summary:
      'Stage the account key, wrapped by a new password, next to the current one; a new account key, marked by the next ' +
      'key version, only after a recovery email',
    access: 'account',
    allowWithout,
    body: NewKey,
    reply: z.object({ success: Succeeded, slot: z.int() }),
    errors: ['CONFLICT', 'PASSWORD_PROOF_REQUIRED', 'RECOVERY_REQUIRED'],
  }),
  commitKeys: endpoint({
    method: 'POST',
    path: '/api/account/keys/commit',
    summary:
      'Activate the key of one slot and delete the others; remembered devices have to unlock again, and files and ' +
      'messages of an earlier account key count as lost',
    access: 'account',
    allowWithout,
    body: z.object({ slot: z.int().check(z.positive()) }),
    reply: z.object({ success: Succeeded, lostFiles: z.int() }),
    errors: ['KEYS_NOT_STAGED', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  previousKeys: endpoint({
    method: 'GET',
    path: '/api/account/keys/previous',
    summary: 'List my wrapped account keys that were replaced within 30 days, latest first',
    access: 'account',
    allowWithout,
    reply: z.object({ success: Succeeded, previous: z.array(PreviousKey) }),
    errors: ['PASSWORD_PROOF_REQUIRED'],
  }),
  restoreKeys: endpoint({
    method: 'POST',
    path: '/api/account/keys/restore',
    summary: 'Restore a wrapped account key that was replaced; the current one can be restored in turn',
    access: 'account',
    allowWithout,
    body: z.object({ id: Id }),
    reply: z.object({ success: Succeeded }),
    errors: ['NOT_FOUND', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  saveRecoveryKey: endpoint({
    method: 'PUT',
    path: '/api/account/recovery-key',
    summary: 'Store my account key wrapped by a recovery key, replacing an earlier one',
    access: 'account',
    allowWithout,
    body: z.object({ keyVersion: z.int(), wrappedKey: WrappedAccountKey }),
    reply: z.object({ success: Succeeded }),
    errors: ['CONFLICT', 'PASSWORD_PROOF_REQUIRED'],
  }),
  removeRecoveryKey: endpoint({
    method: 'DELETE',
    path: '/api/account/recovery-key',
    summary: 'Delete my recovery key',
    access: 'account',
    allowWithout,
    reply: z.object({ success: Succeeded }),
    errors: ['PASSWORD_PROOF_REQUIRED'],
  }),
  rememberDevice: endpoint({
    method: 'POST',
    path: '/api/device-unlock',
    summary: "Get the server's share of the key that unlocks this device while its remembered session lasts",
    access: 'account',
    allowWithout,
    reply: z.object({ success: Succeeded, deviceId: Id, share: z.string() }),
    errors: ['FORBIDDEN'],
  }),
  deviceShare: endpoint({
    method: 'GET',
    path: '/api/device-unlock',
    summary: 'Get the server’s share of this session again',
    access: 'account',
    allowWithout,
    reply: z.object({ success: Succeeded, deviceId: Id, share: z.string() }),
    errors: ['DEVICE_NOT_REMEMBERED'],
  }),
  forgetDevice: endpoint({
    method: 'DELETE',
    path: '/api/device-unlock',
    summary: 'Forget this device; its stored keys can no longer be unlocked',
    access: 'account',
    allowWithout,
    reply: z.object({ success: Succeeded }),
  }),
}

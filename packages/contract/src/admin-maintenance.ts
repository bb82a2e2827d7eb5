import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByteCount, Succeeded } from './fields.ts'

/** What a cleanup removes: what has expired, bytes that no file refers to, or both. */
export const CleanupType = z.enum(['expired', 'orphaned', 'all'])
export type CleanupType = z.output<typeof CleanupType>

const changeErrors = ['CLOCK_NOT_CONFIRMED', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'] as const

/** How admins look after the stored data. */
export const adminMaintenance = {
  cleanUp: endpoint({
    method: 'POST',
    path: '/api/admin/cleanup',
    summary: 'Remove at once what is otherwise removed within minutes; for some seconds, then the call is repeated',
    access: 'admin',
    body: z.object({ cleanup_type: CleanupType }),
    reply: z.object({
      success: Succeeded,
      /** Says what was removed. */
      message: z.string(),
      removed: z.object({
        files: z.int(),
        /** Of the files, as they are stored or as they were before encryption. */
        bytes: ByteCount,
        /** Messages, sessions and other entries. */
        entries: z.int(),
      }),
      /** False if more may be left. */
      complete: z.boolean(),
    }),
    errors: changeErrors,
  }),
  confirmClock: endpoint({
    method: 'POST',
    path: '/api/admin/confirm-clock',
    summary: 'Confirm the time of the server after its clock was set, so that what has expired is deleted again',
    access: 'admin',
    reply: z.object({ success: Succeeded, message: z.string() }),
    errors: ['PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
}

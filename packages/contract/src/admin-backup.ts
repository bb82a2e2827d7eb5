import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByteCount, EpochMs, Succeeded } from './fields.ts'
import { day, second } from './units.ts'

/** How often the page asks while a backup runs, and the age from which the last one counts as old. */
export const backupLimits = { refreshMs: second, oldMs: 7 * day } as const

/** What a running backup is doing. */
export const BackupStep = z.enum(['starting', 'database', 'objects', 'finishing'])
export type BackupStep = z.output<typeof BackupStep>

/** Why a backup has failed, as far as an operator can change it; `failed` for everything else. */
export const BackupFailure = z.enum([
  'another-running',
  'folder-not-writable',
  'no-space',
  'no-dump-tool',
  'volume-missing',
  'failed',
])
export type BackupFailure = z.output<typeof BackupFailure>

const BackupOutcome = z.enum(['done', 'stopped', ...BackupFailure.options])
export type BackupOutcome = z.output<typeof BackupOutcome>

const LatestBackup = z.object({
  time: EpochMs,
  /** Of everything that a restore needs, as it is stored. */
  bytes: ByteCount,
  files: z.int(),
  /** Whether database and secrets are encrypted. */
  is_sealed: z.boolean(),
  /** False for a backup of the database alone. */
  has_files: z.boolean(),
})
export type LatestBackup = z.output<typeof LatestBackup>

const Running = z.object({
  since: EpochMs,
  step: BackupStep,
  files: z.int(),
  /** Null until the database is copied. */
  total_files: z.nullable(z.int()),
  is_stopping: z.boolean(),
})

/** Backups that admins see and make. */
export const adminBackup = {
  status: endpoint({
    method: 'GET',
    path: '/api/admin/backup',
    summary: 'Get the last backup in BACKUP_DIR, however it was made, and the one that this node is making',
    access: 'admin',
    reply: z.object({
      success: Succeeded,
      /** Null unless BACKUP_DIR and BACKUP_TO are set. */
      settings: z.nullable(z.object({ folder: z.string(), is_sealed: z.boolean() })),
      /** Null if there is none. */
      latest: z.nullable(LatestBackup),
      /** False if the folder cannot be read. */
      is_readable: z.boolean(),
      running: z.nullable(Running),
      /** How the last one that this node began has ended; null if there was none, or a later backup. */
      last_outcome: z.nullable(BackupOutcome),
    }),
    errors: ['RATE_LIMITED'],
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/admin/backup',
    summary: 'Begin a backup into BACKUP_DIR',
    access: 'admin',
    reply: z.object({ success: Succeeded, message: z.string() }),
    errors: ['BACKUP_NOT_CONFIGURED', 'BACKUP_RUNNING', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/admin/backup/stop',
    summary: 'Stop the backup that this node is making, and remove what it has begun',
    access: 'admin',
    reply: z.object({ success: Succeeded, message: z.string() }),
    errors: ['BACKUP_NOT_RUNNING', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'],
  }),
}

import type { BackupFailure } from '@sallyport/contract/admin-backup'

/** A backup has failed for a reason that an operator can change. The message is for the command line. */
export class BackupError extends Error {
  readonly failure: BackupFailure
  /** What the audit log records, such as `BACKUP_NO_SPACE`. */
  readonly code: string

  constructor(failure: BackupFailure, message: string, code = codeOf(failure)) {
    super(message)
    this.failure = failure
    this.code = code
  }
}

const codeOf = (failure: BackupFailure): string => `BACKUP_${failure.toUpperCase().replaceAll('-', '_')}`

const noSpaceCodes = new Set<unknown>(['ENOSPC', 'EDQUOT'])

/** The reason of any error of a backup. */
export function failureOf(error: unknown): BackupFailure {
  if (error instanceof BackupError) return error.failure
  return error instanceof Error && 'code' in error && noSpaceCodes.has(error.code) ? 'no-space' : 'failed'
}

/** The error with the code that the audit log records. */
export function toBackupError(error: unknown, isStopped: boolean): BackupError {
  const message = error instanceof Error ? error.message : String(error)
  if (isStopped) return new BackupError('failed', message, 'BACKUP_STOPPED')
  return error instanceof BackupError ? error : new BackupError(failureOf(error), message)
}

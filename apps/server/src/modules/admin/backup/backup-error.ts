import type { BackupFailure } from '@sallyport/contract/admin-backup'

/** A backup has failed for a reason that an operator can change. The message is for the command line. */
export class BackupError extends Error {
  readonly failure: BackupFailure

  constructor(failure: BackupFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

const noSpaceCodes = new Set<unknown>(['ENOSPC', 'EDQUOT'])

/** The reason of any error of a backup. */
export function failureOf(error: unknown): BackupFailure {
  if (error instanceof BackupError) return error.failure
  return error instanceof Error && 'code' in error && noSpaceCodes.has(error.code) ? 'no-space' : 'failed'
}

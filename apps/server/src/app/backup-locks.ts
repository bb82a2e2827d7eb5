import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../modules/admin/backup/backup-error.ts'
import { removeDraft } from '../modules/admin/backup/database-copy.store.ts'
import { removeIncompleteRuns } from '../modules/admin/backup/remove-old-runs.ts'
import { type InstanceLock, lockFile } from '../platform/db/instance-lock.ts'

export interface BackupFolders {
  /** The folder of all runs. */
  readonly folder: string
  readonly dataFolder: string
}

/** Runs the work while no other backup runs in these folders: one lock for the runs, one for the draft of the database. */
export async function withBackupLocks(folders: BackupFolders, work: () => Promise<void>): Promise<void> {
  await createFolder(folders.folder)
  const locks: InstanceLock[] = []
  try {
    for (const folder of new Set([folders.folder, folders.dataFolder])) {
      const lock = lockFile(join(folder, 'backup.lock'))
      if (!lock) throw new BackupError('another-running', `Another backup is running in ${folder}`)
      locks.push(lock)
    }
    await work()
  } finally {
    for (const lock of locks) await lock.release()
  }
}

/** Removes what a backup that was killed has left, unless another one runs, which removes it itself. */
export async function removeInterruptedBackup(folders: BackupFolders): Promise<void> {
  await withBackupLocks(folders, async () => {
    await removeDraft(folders.dataFolder)
    await removeIncompleteRuns(folders.folder)
  })
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new BackupError('folder-not-writable', `${folder} cannot be written to (${code})`)
  }
}

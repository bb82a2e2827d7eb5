import { deletionLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../context.ts'
import type { UsersStore } from '../modules/auth/users/users.store.ts'
import type { SweepStore } from '../modules/files/cleanup/sweep.store.ts'
import type { UploadsStore } from '../modules/files/uploads/uploads.store.ts'
import { noticeAddress, type SecurityNotices } from '../platform/email/security-notices.ts'
import type { Volumes } from '../platform/storage/volumes.ts'

interface RemoveStoredFilesDeps extends Pick<ServerContext, 'volumes' | 'failpoint'> {
  readonly sweepStore: Pick<SweepStore, 'removeFilesOf' | 'removeUploadsOf'>
}

/** Creates the function that deletes the files and uploads of a user in batches: first their rows, then their bytes. */
export const createRemoveStoredFiles =
  ({ sweepStore, volumes, failpoint }: RemoveStoredFilesDeps) =>
  async (userId: string, signal: AbortSignal): Promise<void> => {
    const { batch } = deletionLimits
    for (let isFull = true; isFull; ) {
      signal.throwIfAborted()
      const files = await sweepStore.removeFilesOf(userId, batch)
      const uploads = await sweepStore.removeUploadsOf(userId, batch)
      failpoint('after-deletion-rows')
      for (const { volume, id } of [...files, ...uploads]) await volumes.remove(volume, id)
      isFull = files.length === batch || uploads.length === batch
    }
  }

interface RemoveUserDeps {
  readonly users: Pick<UsersStore, 'find' | 'remove'>
  readonly uploadsStore: Pick<UploadsStore, 'listFileLocations'>
  readonly volumes: Pick<Volumes, 'remove'>
  readonly notices: SecurityNotices
  /** What ends before the user is deleted. If it fails, nothing is deleted; it can be repeated. */
  readonly beforeRemoval: (userId: string) => Promise<void>
}

/**
 * Creates the function that deletes a user with all rows, and then the stored bytes, and notifies the owner. The orphan
 * sweep removes bytes that a crash leaves behind. The function returns true when the user existed.
 */
export const createRemoveUser =
  ({ users, uploadsStore, volumes, notices, beforeRemoval }: RemoveUserDeps) =>
  async (userId: string): Promise<boolean> => {
    const user = await users.find(userId)
    if (user) await beforeRemoval(userId)
    const locations = await uploadsStore.listFileLocations(userId)
    if (!user || !(await users.remove(userId))) return false
    for (const { volume, id } of locations) await volumes.remove(volume, id)
    await notices.send(noticeAddress(user), 'account-deleted')
    return true
  }

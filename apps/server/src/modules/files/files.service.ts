import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { type Failpoint, noFailpoint } from '../../platform/storage/failpoints.ts'
import type { FileRecord, FilesStore } from './files.store.ts'
import { computeExpiry, requireOfferedLifetime } from './uploads/file-checks.ts'
import type { RemovedFile } from './uploads/removals.store.ts'

interface FileServiceDeps extends Pick<ServerContext, 'volumes' | 'publishToAccount' | 'recordActivity' | 'now'> {
  readonly store: FilesStore
  readonly failpoint?: Failpoint
}

type DownloadedFile = Pick<FileRecord, 'id' | 'plainBytes'>

/** The files of accounts. A file that is missing, expired or owned by another user is not found. */
export function createFileService(deps: FileServiceDeps) {
  const { store, volumes, publishToAccount, recordActivity, now, failpoint = noFailpoint } = deps

  /** Runs after the rows are deleted; bytes that cannot be removed now are removed by the orphan sweep. */
  async function finishRemoval(removed: RemovedFile): Promise<void> {
    publishToAccount(removed.ownerId, { type: 'file.deleted', id: removed.id })
    failpoint('after-delete-row')
    await volumes.remove(removed.volume, removed.id)
  }

  async function finishRemovals(ownerId: string, removed: readonly RemovedFile[]): Promise<number> {
    const bytes = removed.reduce((sum, file) => sum + file.plainBytes, 0)
    if (removed.length > 0) recordActivity(ownerId, { action: 'delete', files: removed.length, bytes })
    for (const file of removed) await finishRemoval(file)
    return removed.length
  }

  async function find(ownerId: string, id: string): Promise<FileRecord> {
    const file = await store.find(ownerId, id, now())
    if (!file) throw apiError('FILE_NOT_FOUND')
    return file
  }

  return {
    find,
    list: (ownerId: string): Promise<FileRecord[]> => store.list(ownerId, now()),

    /** Changes the lifetime of a file, counted from now, and returns its expiry. */
    async changeLifetime(ownerId: string, id: string, minutes: number): Promise<number> {
      requireOfferedLifetime(minutes)
      const time = now()
      const expiresAt = computeExpiry(time, minutes)
      const changed = await store.updateExpiry(ownerId, id, { now: time, expiresAt })
      if (!changed) throw apiError('FILE_NOT_FOUND')
      publishToAccount(ownerId, { type: 'file.changed', id, expiresAt })
      return expiresAt
    },

    async remove(ownerId: string, id: string): Promise<void> {
      await find(ownerId, id)
      const removed = await store.remove(ownerId, id)
      if (!removed) throw apiError('FILE_NOT_FOUND')
      await finishRemovals(ownerId, [removed])
    },

    /** Returns the number of deleted files. */
    async removeAll(ownerId: string): Promise<number> {
      return finishRemovals(ownerId, await store.removeAll(ownerId))
    },

    /** Deletes the files whose key is lost. */
    async removeLost(ownerId: string): Promise<number> {
      return finishRemovals(ownerId, await store.removeLost(ownerId))
    },

    /** Counts a download of each of these files by their owner. */
    async countDownloads(ownerId: string, files: readonly DownloadedFile[]): Promise<void> {
      const bytes = files.reduce((sum, { plainBytes }) => sum + plainBytes, 0)
      recordActivity(ownerId, { action: 'download', files: files.length, bytes })
      await store.countDownloads(
        ownerId,
        files.map(({ id }) => id),
        now(),
      )
    },
  }
}

export type FileService = ReturnType<typeof createFileService>

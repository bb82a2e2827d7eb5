import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { type Failpoint, noFailpoint } from '../../platform/storage/failpoints.ts'
import type { FileRecord, FilesStore } from './files.store.ts'
import { computeExpiry, requireOfferedLifetime } from './uploads/lifetime.ts'
import type { RemovedFile } from './uploads/removals.store.ts'

interface FileServiceDeps extends Pick<ServerContext, 'volumes' | 'publishToAccount' | 'now'> {
  readonly store: FilesStore
  readonly failpoint?: Failpoint
}

/** The files of accounts. A file that is missing, expired or owned by another user is not found. */
export function createFileService({ store, volumes, publishToAccount, now, failpoint = noFailpoint }: FileServiceDeps) {
  /** Runs after the rows are deleted; bytes that cannot be removed now are removed by the orphan sweep. */
  async function finishRemoval(removed: RemovedFile): Promise<void> {
    publishToAccount(removed.ownerId, { type: 'file.deleted', id: removed.id })
    failpoint('after-delete-row')
    await volumes.remove(removed.volume, removed.id)
  }

  async function finishRemovals(removed: readonly RemovedFile[]): Promise<number> {
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
      await finishRemoval(removed)
    },

    /** Returns the number of deleted files. */
    async removeAll(ownerId: string): Promise<number> {
      return finishRemovals(await store.removeAll(ownerId))
    },

    /** Deletes the files whose key is lost. */
    async removeLost(ownerId: string): Promise<number> {
      return finishRemovals(await store.removeLost(ownerId))
    },

    countDownload: (id: string): Promise<void> => store.countDownload(id),
  }
}

export type FileService = ReturnType<typeof createFileService>

import { goOn, type Reached } from '../blobs/fail-points.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { refuse } from '../errors.ts'
import type { Announce } from '../live/announce.ts'
import { endOfLife, requireOffered } from '../uploads/lifetime.ts'
import type { RemovedFile } from '../uploads/removals.store.ts'
import type { FileRecord, FilesStore } from './files.store.ts'

interface Parts {
  readonly store: FilesStore
  readonly volumes: Volumes
  readonly announce: Announce
  readonly now: () => number
  readonly reached?: Reached
}

/** The files of an account. One that is missing, expired or somebody else's is not found, all alike. */
export function createFiles({ store, volumes, announce, now, reached = goOn }: Parts) {
  /** Rows are gone by now; bytes that cannot be removed are found by the orphan pass. */
  async function finishRemoval(removed: RemovedFile): Promise<void> {
    announce(removed.ownerId, { type: 'file.deleted', id: removed.id })
    reached('after-delete-row')
    await volumes.remove(removed.volume, removed.id)
  }

  async function finishRemovals(removed: readonly RemovedFile[]): Promise<number> {
    for (const file of removed) await finishRemoval(file)
    return removed.length
  }

  async function find(ownerId: string, id: string): Promise<FileRecord> {
    const file = await store.find(ownerId, id, now())
    if (!file) throw refuse('FILE_NOT_FOUND')
    return file
  }

  return {
    find,
    list: (ownerId: string): Promise<FileRecord[]> => store.list(ownerId, now()),

    /** Gives a file another lifetime, counted from now; answers its new end. */
    async changeLifetime(ownerId: string, id: string, minutes: number): Promise<number> {
      requireOffered(minutes)
      const at = now()
      const expiresAt = endOfLife(at, minutes)
      const changed = await store.changeEnd(ownerId, id, { now: at, expiresAt })
      if (!changed) throw refuse('FILE_NOT_FOUND')
      announce(ownerId, { type: 'file.changed', id, expiresAt })
      return expiresAt
    },

    async remove(ownerId: string, id: string): Promise<void> {
      await find(ownerId, id)
      const removed = await store.remove(ownerId, id)
      if (!removed) throw refuse('FILE_NOT_FOUND')
      await finishRemoval(removed)
    },

    /** Answers how many there were. */
    async removeAll(ownerId: string): Promise<number> {
      return finishRemovals(await store.removeAll(ownerId))
    },

    /** Removes what nobody opens any more. */
    async removeLost(ownerId: string): Promise<number> {
      return finishRemovals(await store.removeLost(ownerId))
    },

    countDownload: (id: string): Promise<void> => store.countDownload(id),
  }
}

export type Files = ReturnType<typeof createFiles>

import type { SessionFile } from '@sallyport/contract/session-shapes'
import type { QueryClient } from '@tanstack/react-query'
import { checkListed } from '#/lib/check-listed.ts'
import { findUnlisted } from '#/lib/realtime/find-unlisted.ts'
import { applyChanges, type ListChange } from '#/lib/realtime/list-changes.ts'
import { batchUpdates } from '#/lib/realtime/update-batches.ts'
import { filesKey } from '../session.queries.ts'

type FileList = readonly SessionFile[]

export interface SessionFileUpdates {
  readonly onInserted: (file: SessionFile) => void
  readonly onDeleted: (fileId: string) => void
  /** Refetches the list if the live channel does not announce these files. */
  readonly onUploaded: (fileIds: readonly string[]) => void
  readonly refetch: () => void
  readonly stop: () => void
}

/** Keeps the cached file list of a session up to date: many live events are applied together, without a request. */
export function createSessionFileUpdates(queries: QueryClient, sessionId: string): SessionFileUpdates {
  const queryKey = filesKey(sessionId)
  const announcedIds = new Set<string>()
  const isListed = (fileId: string) =>
    queries.getQueryData<FileList>(queryKey)?.some(({ id }) => id === fileId) ?? false

  /** Cancels a running request, whose response may be older than an event that was applied. */
  async function refetchList(): Promise<void> {
    await queries.cancelQueries({ queryKey })
    await queries.invalidateQueries({ queryKey })
  }

  const batches = batchUpdates<ListChange<SessionFile>>((changes) => {
    announcedIds.clear()
    queries.setQueryData<FileList>(queryKey, (files) => files && applyChanges(files, changes))
    if (queries.isFetching({ queryKey }) > 0) void refetchList()
  })

  function refetch(): void {
    batches.flush()
    void refetchList()
  }

  const unlisted = findUnlisted({
    isListed: (fileId) => announcedIds.has(fileId) || isListed(fileId),
    onUnlisted: refetch,
  })

  return {
    onInserted(file) {
      checkListed([{ createdAt: file.created_at, expiresAt: file.expires_at }])
      announcedIds.add(file.id)
      batches.add({ type: 'inserted', item: file })
    },
    onDeleted: (fileId) => batches.add({ type: 'deleted', id: fileId }),
    onUploaded: unlisted.add,
    refetch,
    stop() {
      batches.stop()
      unlisted.stop()
    },
  }
}

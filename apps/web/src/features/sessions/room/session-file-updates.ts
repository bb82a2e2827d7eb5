import type { SessionFile } from '@sallyport/contract/session-shapes'
import type { QueryClient } from '@tanstack/react-query'
import { checkListed } from '#/lib/check-listed.ts'
import { findUnlisted } from '#/lib/realtime/find-unlisted.ts'
import { batchUpdates } from '#/lib/realtime/update-batches.ts'
import { filesKey } from '../session.queries.ts'

type FileList = readonly SessionFile[]
type UpdateFileList = (files: FileList) => FileList

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

  const batches = batchUpdates<UpdateFileList>((updates) => {
    announcedIds.clear()
    queries.setQueryData<FileList>(
      queryKey,
      (files) => files && updates.reduce((updated, update) => update(updated), files),
    )
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
      batches.add((files) => [file, ...files.filter(({ id }) => id !== file.id)])
    },
    onDeleted: (fileId) => batches.add((files) => files.filter(({ id }) => id !== fileId)),
    onUploaded: unlisted.add,
    refetch,
    stop() {
      batches.stop()
      unlisted.stop()
    },
  }
}

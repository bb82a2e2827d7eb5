import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'
import { ignore } from '@sallyport/contract/ignore'
import { apiError } from '../../errors.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)

interface GroupCommitDeps {
  /** The append-only file. */
  readonly path: string
  /** Makes everything durable without this file; throws if that fails. */
  readonly checkpoint: () => void
  readonly syncToDisk?: (file: number) => Promise<void>
}

/**
 * Group commit: syncs the data appended to a file without blocking the event loop. Concurrent callers share the next
 * sync.
 */
export function createGroupCommit({ path, checkpoint, syncToDisk = syncData }: GroupCommitDeps) {
  let file: number | undefined
  /** After a failed sync the next one may succeed although the data of the failed one is still missing. */
  let needsCheckpoint = false
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  async function sync(): Promise<void> {
    try {
      file ??= await openFile(path, 'r+')
      if (needsCheckpoint) checkpoint()
      needsCheckpoint = true
      await syncToDisk(file)
      needsCheckpoint = false
    } catch (error) {
      throw apiError('UNAVAILABLE', { cause: error })
    }
  }

  /** Resolves when everything appended before this call is on disk; rejects with UNAVAILABLE if the sync fails. */
  function flush(): Promise<void> {
    if (running === null) {
      running = sync().finally(() => {
        running = null
      })
      return running
    }
    // The running sync may have started before the last bytes were appended.
    next ??= running
      .catch((error: unknown) => ignore(error, 'the callers of that sync get its error'))
      .then(() => {
        next = null
        return flush()
      })
    return next
  }

  return {
    flush,
    async close(): Promise<void> {
      await next?.catch((error: unknown) => ignore(error, 'the callers of that sync get its error'))
      await running?.catch((error: unknown) => ignore(error, 'the callers of that sync get its error'))
      if (file !== undefined) await closeFile(file)
    },
  }
}

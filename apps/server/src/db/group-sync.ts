import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'
import { refuse } from '../errors.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)

interface Parts {
  /** The file that is appended to. */
  readonly path: string
  /** Brings everything to the disk by another way than the file; throws while that cannot be done. */
  readonly startOver: () => void
  readonly putOnDisk?: (file: number) => Promise<void>
}

/** Puts what was appended to a file on the disk, off the event loop. Whoever asks meanwhile shares the next round. */
export function createGroupSync({ path, startOver, putOnDisk = syncData }: Parts) {
  let file: number | undefined
  /** A disk that failed once may call the next sync a success, though what it failed to keep is still missing. */
  let isDistrusted = false
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  async function sync(): Promise<void> {
    try {
      file ??= await openFile(path, 'r+')
      if (isDistrusted) startOver()
      isDistrusted = true
      await putOnDisk(file)
      isDistrusted = false
    } catch (error) {
      throw refuse('UNAVAILABLE', { cause: error })
    }
  }

  /** Settles when all that was in the file when this was called is on the disk; refuses with UNAVAILABLE when it is not. */
  function settle(): Promise<void> {
    if (running === null) {
      running = sync().finally(() => {
        running = null
      })
      return running
    }
    // The round that runs may have begun before the last bytes were there.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        return settle()
      })
    return next
  }

  return {
    settle,
    async close(): Promise<void> {
      await next?.catch(() => undefined)
      await running?.catch(() => undefined)
      if (file !== undefined) await closeFile(file)
    },
  }
}

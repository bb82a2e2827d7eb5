import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'
import { refuse } from '../errors.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const putOnDisk = promisify(fdatasync)

/** Puts what was appended to a file on the disk, off the event loop. Whoever asks meanwhile shares the next round. */
export function createGroupSync(path: string) {
  let file: number | undefined
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  async function sync(): Promise<void> {
    try {
      file ??= await openFile(path, 'r+')
      await putOnDisk(file)
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

export type GroupSync = ReturnType<typeof createGroupSync>

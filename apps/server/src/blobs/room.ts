import { statfs } from 'node:fs/promises'
import { refuse } from '../errors.ts'

const mostSparedBytes = 64 * 1024 * 1024
const sparedShare = 1 / 8

/** Room that one write has been promised. */
export interface Promised {
  /** Of what was promised, so many bytes are on their way to the disk. */
  readonly use: (bytes: number) => void
  /** Gives back what was not used. */
  readonly leave: () => void
}

/**
 * The room of a folder's disk. Its last 64 MiB, or eighth, are spared: the database most often lies on the same disk, and
 * without room it cannot even note down what was deleted or has expired, so that no room would ever come back.
 */
export function createRoom(folder: string) {
  let promisedBytes = 0

  async function freeBytes(): Promise<number> {
    const { bavail, blocks, bsize } = await statfs(folder)
    const sparedBytes = Math.min(mostSparedBytes, Math.floor(blocks * bsize * sparedShare))
    return Math.max(0, bavail * bsize - sparedBytes)
  }

  return {
    /** Bytes that may still be written. */
    freeBytes,
    /** Promises room for a write of at most so many bytes. Refuses with NO_SPACE beside what others were promised. */
    async promise(bytes: number): Promise<Promised> {
      if ((await freeBytes()) < promisedBytes + bytes) throw refuse('NO_SPACE')
      promisedBytes += bytes
      let left = bytes
      const use = (used: number): void => {
        const taken = Math.min(used, left)
        left -= taken
        promisedBytes -= taken
      }
      return { use, leave: () => use(left) }
    },
  }
}

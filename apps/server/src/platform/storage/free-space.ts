import { statfs } from 'node:fs/promises'
import { apiError } from '../../errors.ts'

const maxHeadroomBytes = 64 * 1024 * 1024
const headroomShare = 1 / 8

/** Disk space reserved for one write. */
export interface SpaceReservation {
  /** Counts bytes of the reservation as written. */
  readonly use: (bytes: number) => void
  /** Releases the bytes that were not used. */
  readonly release: () => void
}

/**
 * Tracks the free space of a folder's disk. Keeps the last 64 MiB, or an eighth, as headroom: the database is usually
 * on the same disk, and without space it could not record deletions, so that no space would ever be freed.
 */
export function createFreeSpace(folder: string) {
  let reservedBytes = 0

  async function freeBytes(): Promise<number> {
    const { bavail, blocks, bsize } = await statfs(folder)
    const headroomBytes = Math.min(maxHeadroomBytes, Math.floor(blocks * bsize * headroomShare))
    return Math.max(0, bavail * bsize - headroomBytes)
  }

  return {
    /** Bytes that can still be written. */
    freeBytes,
    /**
     * Reserves space for a write of at most `bytes` bytes. Throws NO_SPACE if earlier reservations leave too little.
     */
    async reserve(bytes: number): Promise<SpaceReservation> {
      if ((await freeBytes()) < reservedBytes + bytes) throw apiError('NO_SPACE')
      reservedBytes += bytes
      let remaining = bytes
      const use = (written: number): void => {
        const consumed = Math.min(written, remaining)
        remaining -= consumed
        reservedBytes -= consumed
      }
      return { use, release: () => use(remaining) }
    },
  }
}

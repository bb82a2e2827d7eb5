import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
/** What the tests hold at the same time, with a margin: portals move files of 300 MB through several browser profiles. */
const neededBytes = 6 * 1024 ** 3

/**
 * Creates a folder for the temporary files of the tests. It is in memory where there is room, because with databases,
 * files and browser profiles on a disk the tests spend much of their time waiting for it.
 */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(freeBytes(memoryFolder) > neededBytes ? memoryFolder : tmpdir(), 'sallyport-test-'))
  // PostgreSQL runs as a user of its own and has to reach its folder inside.
  chmodSync(folder, 0o711)
  return folder
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

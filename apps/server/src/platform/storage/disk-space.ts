import { stat, statfs } from 'node:fs/promises'

/** The disk that a folder is on. */
export interface DiskSpace {
  /** The same for all folders of one disk. */
  readonly disk: number
  readonly totalBytes: number
  readonly usedBytes: number
  /** What the server may still write, without what is reserved for the system. */
  readonly freeBytes: number
}

/** Reads the space of the disk that this folder is on. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const [{ blocks, bfree, bavail, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)])
  return { disk: dev, totalBytes: blocks * bsize, usedBytes: (blocks - bfree) * bsize, freeBytes: bavail * bsize }
}

/** How full a disk is for the server, in percent; the same as `df` shows, not rounded. */
export function usagePercent({ usedBytes, freeBytes }: Pick<DiskSpace, 'usedBytes' | 'freeBytes'>): number {
  const usable = usedBytes + freeBytes
  return usable === 0 ? 100 : (usedBytes / usable) * 100
}

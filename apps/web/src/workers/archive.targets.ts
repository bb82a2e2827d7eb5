import type { ArchiveTarget } from '@sallyport/client/archive/archive-target'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import { openStagedFile } from './open-staged-file.ts'
import { isFull, noRoom } from './private-handle.ts'
import type { SavedFile } from './tasks.ts'

/** The private file system where the browser has one and lets this page use it, encrypted until the archive is whole; else memory. */
export async function openArchiveTarget(privateName: string, bytes: number): Promise<ArchiveTarget<SavedFile>> {
  try {
    return await openPrivateTarget(privateName, bytes)
  } catch (error) {
    if (isFull(error) && bytes > largeDownloadBytes) throw new Error(noRoom, { cause: error })
    return createMemoryTarget()
  }
}

async function openPrivateTarget(privateName: string, bytes: number): Promise<ArchiveTarget<SavedFile>> {
  const file = await openStagedFile(privateName, bytes)
  let end = 0
  return {
    place: 'disk',
    async write(piece, position) {
      await file.write(piece, position)
      end = Math.max(end, position + piece.length)
    },
    cut(length) {
      end = length
    },
    async close() {
      await file.finish(end)
      return { privateName }
    },
    abort: file.remove,
  }
}

function createMemoryTarget(): ArchiveTarget<SavedFile> {
  let parts: { readonly position: number; readonly blob: Blob }[] = []
  return {
    place: 'memory',
    write(bytes, position) {
      const part = { position, blob: new Blob([bytes]) }
      const before = parts.findIndex((one) => one.position === position)
      if (before === -1) parts.push(part)
      else parts[before] = part
    },
    cut(length) {
      parts = parts.filter(({ position }) => position < length)
    },
    close: async () => ({ blob: new Blob(parts.map(({ blob }) => blob)) }),
    async abort() {
      parts = []
    },
  }
}

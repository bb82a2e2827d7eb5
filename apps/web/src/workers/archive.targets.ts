import type { ArchiveTarget } from '@sallyport/client/archive/archive-target'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import { isFull, noRoom, openPrivateHandle } from './private-handle.ts'
import type { SavedFile } from './tasks.ts'

/** The private file system where the browser has one and lets this page use it, else memory. */
export async function openArchiveTarget(privateName: string, bytes: number): Promise<ArchiveTarget<SavedFile>> {
  try {
    return await openPrivateTarget(privateName, bytes)
  } catch (error) {
    if (isFull(error) && bytes > largeDownloadBytes) throw new Error(noRoom, { cause: error })
    return createMemoryTarget()
  }
}

async function openPrivateTarget(privateName: string, bytes: number): Promise<ArchiveTarget<SavedFile>> {
  const { write, cut, close, remove } = await openPrivateHandle(privateName, bytes)
  let end = 0
  return {
    place: 'disk',
    write(piece, position) {
      write(piece, position)
      end = Math.max(end, position + piece.length)
    },
    cut(length) {
      end = length
    },
    async close() {
      // Shorter than the room that was taken where a file was left out.
      cut(end)
      close()
      return { privateName }
    },
    abort: remove,
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

import type { ArchiveTarget } from '../../../engine/archive/archive-target.ts'
import type { SavedFile } from '../tasks.ts'
import { openStagedFile } from './open-staged-file.ts'
import { openWithFallback } from './private-handle.ts'

/**
 * Opens an archive in the private file system where the browser allows it, encrypted until it is complete; otherwise in
 * memory.
 */
export const openArchiveTarget = (privateName: string, bytes: number): Promise<ArchiveTarget<SavedFile>> =>
  openWithFallback({
    bytes,
    openOnDisk: () => openPrivateTarget(privateName, bytes),
    createInMemory: createMemoryTarget,
  })

async function openPrivateTarget(privateName: string, bytes: number): Promise<ArchiveTarget<SavedFile>> {
  const file = await openStagedFile(privateName, bytes)
  let writtenLength = 0
  return {
    storage: 'disk',
    async write(piece, position) {
      await file.write(piece, position)
      writtenLength = Math.max(writtenLength, position + piece.length)
    },
    truncate(length) {
      writtenLength = length
    },
    async close(onDecrypted, signal) {
      await file.finish(writtenLength, { onDecrypted, signal })
      return { privateName }
    },
    abort: file.remove,
  }
}

function createMemoryTarget(): ArchiveTarget<SavedFile> {
  let parts: { readonly position: number; readonly blob: Blob }[] = []
  return {
    storage: 'memory',
    write(bytes, position) {
      const part = { position, blob: new Blob([bytes]) }
      const existing = parts.findIndex((candidate) => candidate.position === position)
      if (existing === -1) parts.push(part)
      else parts[existing] = part
    },
    truncate(length) {
      parts = parts.filter(({ position }) => position < length)
    },
    close: async () => ({ blob: new Blob(parts.map(({ blob }) => blob)) }),
    async abort() {
      parts = []
    },
  }
}

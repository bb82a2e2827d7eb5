import type { OutgoingFile } from '@sallyport/client/portal/channel'
import { foldersOf } from '@sallyport/crypto'
import type { AddedFile } from '#/components/file-input/added-file.ts'

/** For each slice the browser checks the file on the disk, so slices are few and large. */
const sliceBytes = 4 * 1024 * 1024

/** Wraps a chosen file for the portal. Reading fails once the file has changed on the disk. */
export function createOutgoingFile(file: AddedFile): OutgoingFile {
  let currentSlice: { readonly start: number; readonly bytes: Promise<ArrayBuffer> } | null = null

  /** Returns the slice that starts there. Sequential reads share one slice. */
  function sliceAt(start: number): Promise<ArrayBuffer> {
    if (currentSlice?.start !== start)
      currentSlice = { start, bytes: file.slice(start, start + sliceBytes).arrayBuffer() }
    return currentSlice.bytes
  }

  const outgoing: OutgoingFile = {
    name: file.name,
    ...(file.path !== undefined && { path: foldersOf(file.path) }),
    size: file.size,
    mime: file.type,
    modifiedAt: file.lastModified,
    async read(start, end) {
      const sliceStart = start - (start % sliceBytes)
      if (end > sliceStart + sliceBytes) return new Uint8Array(await file.slice(start, end).arrayBuffer())
      const bytes = new Uint8Array(await sliceAt(sliceStart), start - sliceStart, end - start)
      if (end === Math.min(sliceStart + sliceBytes, file.size)) currentSlice = null
      return bytes
    },
  }
  sourceFiles.set(outgoing, file)
  return outgoing
}

const sourceFiles = new WeakMap<OutgoingFile, File>()

/** The chosen file that an outgoing file wraps. */
export function sourceFileOf(outgoing: OutgoingFile): File {
  const file = sourceFiles.get(outgoing)
  if (!file) throw new Error('The file was not created by createOutgoingFile')
  return file
}

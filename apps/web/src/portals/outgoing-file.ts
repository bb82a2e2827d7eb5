import type { OutgoingFile } from '@sallyport/client/portal/channel'
import { foldersOf } from '@sallyport/crypto'
import type { TakenFile } from '#/intake/taken-file.ts'

/** Each slice makes the browser look at the file on the disk, so there are few and large ones. */
const sliceBytes = 4 * 1024 * 1024

/** A chosen file as the portal reads it; one that has changed since cannot be read any more. */
export function outgoingFile(file: TakenFile): OutgoingFile {
  let sliced: { readonly start: number; readonly bytes: Promise<ArrayBuffer> } | null = null

  /** The bytes from there on; what is read in order is read once. */
  function sliceAt(start: number): Promise<ArrayBuffer> {
    if (sliced?.start !== start) sliced = { start, bytes: file.slice(start, start + sliceBytes).arrayBuffer() }
    return sliced.bytes
  }

  const outgoing: OutgoingFile = {
    name: file.name,
    ...(file.path !== undefined && { path: foldersOf(file.path) }),
    size: file.size,
    mime: file.type,
    modifiedAt: file.lastModified,
    async read(start, end) {
      const first = start - (start % sliceBytes)
      if (end > first + sliceBytes) return new Uint8Array(await file.slice(start, end).arrayBuffer())
      const bytes = new Uint8Array(await sliceAt(first), start - first, end - start)
      if (end === Math.min(first + sliceBytes, file.size)) sliced = null
      return bytes
    },
  }
  behind.set(outgoing, file)
  return outgoing
}

const behind = new WeakMap<OutgoingFile, File>()

/** The file that was chosen. */
export function fileBehind(outgoing: OutgoingFile): File {
  const file = behind.get(outgoing)
  if (!file) throw new Error('Nobody has chosen this file')
  return file
}

import type { OutgoingFile } from '@sallyport/client/portal/channel'
import { foldersOf } from '@sallyport/crypto'
import type { TakenFile } from '#/intake/taken-file.ts'

/** A chosen file as the portal reads it; one that has changed since cannot be read any more. */
export const outgoingFile = (file: TakenFile): OutgoingFile => ({
  name: file.name,
  ...(file.path !== undefined && { path: foldersOf(file.path) }),
  size: file.size,
  mime: file.type,
  read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
})

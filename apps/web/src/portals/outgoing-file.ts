import type { OutgoingFile } from '@sallyport/client/portal/channel'

/** A chosen file as the portal reads it; one that has changed since cannot be read any more. */
export const outgoingFile = (file: File): OutgoingFile => ({
  name: file.name,
  size: file.size,
  mime: file.type,
  read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
})

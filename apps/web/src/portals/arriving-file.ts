import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import { saveBlob } from '#/transfers/save-blob.ts'

const inMemoryBytes = 64 * 1024 * 1024
const keptMs = 60 * 60_000

/** Puts an arriving file on the disk of this browser, or into memory while it is small, and at its end into the downloads. */
export function createArrivingFile(file: FileOffer): PortalSink {
  const place = file.size <= inMemoryBytes ? inMemory(file) : onDisk(file)
  return place
}

function inMemory({ name, mime, size }: FileOffer): PortalSink {
  let bytes: Uint8Array<ArrayBuffer> | null = new Uint8Array(size)
  return {
    async write(piece, position) {
      bytes?.set(piece, position)
    },
    async finish() {
      if (bytes) saveBlob(new Blob([bytes], { type: mime }), name)
      bytes = null
    },
    async discard() {
      bytes = null
    },
  }
}

/** A browser without a file system of its own refuses here, before anything was sent. */
function onDisk({ name }: FileOffer): PortalSink {
  const privateName = `portal-${crypto.randomUUID()}`
  const opening = open(privateName)
  opening.catch(() => undefined)
  const remove = async () => (await navigator.storage.getDirectory()).removeEntry(privateName)
  return {
    async write(piece, position) {
      const { stream } = await opening
      await stream.write({ type: 'write', position, data: piece })
    },
    async finish() {
      const { stream, handle } = await opening
      await stream.close()
      saveBlob(await handle.getFile(), name)
      // The browser reads it from there while it saves.
      setTimeout(() => void remove().catch(() => undefined), keptMs)
    },
    async discard() {
      const { stream } = await opening
      await stream.abort()
      await remove()
    },
  }
}

async function open(privateName: string) {
  const root = await navigator.storage.getDirectory()
  const handle = await root.getFileHandle(privateName, { create: true })
  return { handle, stream: await handle.createWritable() }
}

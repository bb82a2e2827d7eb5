import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import { claimPrivateFile } from '#/transfers/private-files.ts'
import { saveBlob } from '#/transfers/save-blob.ts'
import { startWorker } from '#/transfers/task-port.ts'
import keepWorkerUrl from '#/workers/keep.worker.ts?worker&url'
import type { KeepTasks } from '#/workers/tasks.ts'

const inMemoryBytes = 8 * 1024 * 1024
/** Where a browser has no file system of its own, memory may do up to here. */
const mostInMemoryBytes = 64 * 1024 * 1024

/** Puts an arriving file on the disk of this browser, or into memory while it is small, and then into the downloads. */
export const createArrivingFile = (file: FileOffer): PortalSink =>
  file.size <= inMemoryBytes ? inMemory(file) : onDiskIfPossible(file)

/** Whether this browser has room for so many bytes. Found by taking it: what browsers say of their room is a round figure. */
export async function hasRoomFor(bytes: number): Promise<boolean> {
  if (bytes <= mostInMemoryBytes) return true
  const taken = await openOnDisk({ name: '', mime: '', size: bytes }).catch(() => null)
  await taken?.discard()
  return taken !== null
}

function inMemory({ name, mime, size }: FileOffer): PortalSink {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  return {
    async write(piece, position) {
      bytes ??= new Uint8Array(size)
      bytes.set(piece, position)
    },
    async finish() {
      saveBlob(new Blob(bytes ? [bytes] : [], { type: mime }), name)
      bytes = null
    },
    async discard() {
      bytes = null
    },
  }
}

/** Takes the room for the whole file with its first byte. Whoever has no such disk keeps what is not too large in memory. */
function onDiskIfPossible(file: FileOffer): PortalSink {
  let opening: Promise<PortalSink> | null = null
  return {
    async write(piece, position) {
      opening ??= openOnDisk(file).catch((error: unknown) => {
        if (file.size > mostInMemoryBytes) throw error
        return inMemory(file)
      })
      await (await opening).write(piece, position)
    },
    finish: async () => (await opening)?.finish(),
    discard: async () => (await opening?.catch(() => null))?.discard(),
  }
}

async function openOnDisk({ name, mime, size }: FileOffer): Promise<PortalSink> {
  const place = claimPrivateFile()
  const worker = startWorker<KeepTasks>(keepWorkerUrl, 'keep')
  let removing: Promise<void> | null = null
  const remove = async () => {
    await worker.run('remove', null).catch(() => undefined)
    worker.end()
    await place.remove()
  }
  const discard = () => {
    removing ??= remove()
    return removing
  }
  await worker.run('open', { privateName: place.name, bytes: size }).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  return {
    async write(bytes, position) {
      await worker.run('write', { bytes, position }, { transfer: [bytes.buffer] })
    },
    async finish() {
      await worker.run('close', null)
      worker.end()
      const file = await place.read()
      saveBlob(file.slice(0, size, mime), name)
      place.removeAfterCopying(size)
    },
    discard,
  }
}

import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import type { SinkOf } from '@sallyport/client/portal/exchange-state'
import { claimArrivingFile } from '#/transfers/arriving-files.ts'
import { claimPrivateFile, type PrivateFile } from '#/transfers/private-files.ts'
import { saveBlob } from '#/transfers/save-blob.ts'
import { startWorker } from '#/transfers/task-port.ts'
import keepWorkerUrl from '#/workers/keep.worker.ts?worker&url'
import type { KeepTasks } from '#/workers/tasks.ts'

const inMemoryBytes = 8 * 1024 * 1024
/** Where a browser has no file system of its own, memory may do up to here. */
const mostInMemoryBytes = 64 * 1024 * 1024

/**
 * Puts an arriving file on the disk of this browser, encrypted until it is whole, or into memory while it is small, and
 * then into the downloads. With `place` it finds what an earlier page has left there under the same key; without a key
 * no later page is to find anything.
 */
export const createArrivingFile: SinkOf = (file, place, key = null) =>
  file.size <= inMemoryBytes
    ? inMemory(file)
    : onDiskIfPossible(file, { place: key ? claimArrivingFile(place) : claimPrivateFile(), key })

interface PlaceOnDisk {
  readonly place: PrivateFile
  /** Null for a file that ends with its page. */
  readonly key: Uint8Array<ArrayBuffer> | null
}

/** Whether this browser has room for so many bytes. Found by taking it: what browsers say of their room is a round figure. */
export async function hasRoomFor(bytes: number): Promise<boolean> {
  if (bytes <= mostInMemoryBytes) return true
  const disk = { place: claimPrivateFile(), key: null }
  const taken = await openOnDisk({ name: '', mime: '', size: bytes }, disk).catch(() => null)
  await taken?.discard()
  return taken !== null
}

function inMemory({ name, mime, size }: FileOffer): PortalSink {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  return {
    standsAlone: true,
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
function onDiskIfPossible(file: FileOffer, disk: PlaceOnDisk): PortalSink {
  const { place, key } = disk
  let opening: Promise<PortalSink> | null = null
  const open = (): Promise<PortalSink> => {
    opening ??= openOnDisk(file, disk).catch((error: unknown) => {
      if (file.size > mostInMemoryBytes) throw error
      return inMemory(file)
    })
    return opening
  }
  return {
    ...(key && { place: place.name }),
    standsAlone: true,
    write: async (piece, position) => (await open()).write(piece, position),
    async flush() {
      const { flush } = await open()
      if (!flush) throw new Error('The file is kept in memory')
      await flush()
    },
    read: async (position, length) => (await open()).read?.(position, length) ?? new Uint8Array(0),
    leave: async () => (opening ? (await opening).leave?.() : place.release()),
    finish: async () => (await open()).finish(),
    discard: async () => (opening ? (await opening.catch(() => null))?.discard() : place.remove()),
  }
}

async function openOnDisk({ name, mime, size }: FileOffer, { place, key }: PlaceOnDisk): Promise<PortalSink> {
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
  await worker.run('open', { privateName: place.name, bytes: size, key }).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  return {
    async write(bytes, position) {
      await worker.run('write', { bytes, position }, { transfer: [bytes.buffer] })
    },
    async flush() {
      await worker.run('flush', null)
    },
    read: (position, length) => worker.run('read', { position, length }),
    async leave() {
      await worker.run('leave', null)
      worker.end()
      place.release()
    },
    async finish() {
      await worker.run('finish', { bytes: size })
      worker.end()
      const file = await place.read()
      saveBlob(file.slice(0, size, mime), name)
      place.removeAfterCopying(size)
    },
    discard,
  }
}

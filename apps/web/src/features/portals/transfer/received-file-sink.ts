import { startWorker } from '@sallyport/browser/task-port'
import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import type { CreateSink } from '@sallyport/client/portal/exchange-state'
import { ignore } from '@sallyport/contract/ignore'
import { claimPrivateFile, type PrivateFile } from '@sallyport/transfers/browser/downloads/private-files'
import { claimReceivedFile } from '@sallyport/transfers/browser/downloads/received-files'
import { saveBlob } from '@sallyport/transfers/browser/downloads/save-blob'
import stagedFileWorkerUrl from '@sallyport/transfers/browser/workers/staged-file.worker?worker&url'
import type { StagedFileTasks } from '@sallyport/transfers/browser/workers/tasks'

const alwaysInMemoryBytes = 8 * 1024 * 1024
/** The limit for files in memory where a browser has no private file system. */
const maxInMemoryBytes = 64 * 1024 * 1024

/**
 * Writes a received file to the private file system, encrypted until it is complete, or to memory while it is small,
 * and then to the downloads. With `privateName` it opens what an earlier page left there under the same key; without a
 * key no later page can read it.
 */
export const createReceivedFileSink: CreateSink = (file, privateName, key = null) =>
  file.size <= alwaysInMemoryBytes
    ? inMemory(file)
    : onDiskIfPossible(file, { privateFile: key ? claimReceivedFile(privateName) : claimPrivateFile(), key })

interface DiskTarget {
  readonly privateFile: PrivateFile
  /** Null for a file that is discarded with its page. */
  readonly key: Uint8Array<ArrayBuffer> | null
}

/**
 * Returns whether this browser can store a file of this size. Allocates the bytes to find out, because the storage
 * estimate of browsers is rounded.
 */
export async function hasFreeSpaceFor(bytes: number): Promise<boolean> {
  if (bytes <= maxInMemoryBytes) return true
  const target = { privateFile: claimPrivateFile(), key: null }
  const sink = await openOnDisk({ name: '', mime: '', size: bytes }, target).catch((error) =>
    ignore(error, 'there is not enough space'),
  )
  await sink?.discard()
  return sink !== undefined
}

function inMemory({ name, mime, size }: FileOffer): PortalSink {
  let bytes: Uint8Array<ArrayBuffer> | null = null
  return {
    isIndependent: true,
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

/**
 * Allocates the whole file when the first bytes arrive. Falls back to memory for a small enough file where there is no
 * private file system.
 */
function onDiskIfPossible(file: FileOffer, disk: DiskTarget): PortalSink {
  const { privateFile, key } = disk
  let opening: Promise<PortalSink> | null = null
  const open = (): Promise<PortalSink> => {
    opening ??= openOnDisk(file, disk).catch((error: unknown) => {
      if (file.size > maxInMemoryBytes) throw error
      return inMemory(file)
    })
    return opening
  }
  return {
    ...(key && { storedName: privateFile.name }),
    isIndependent: true,
    write: async (piece, position) => (await open()).write(piece, position),
    async flush() {
      const { flush } = await open()
      if (!flush) throw new Error('The file is held in memory')
      await flush()
    },
    read: async (position, length) => (await open()).read?.(position, length) ?? new Uint8Array(0),
    release: async () => (opening ? (await opening).release?.() : privateFile.release()),
    finish: async () => (await open()).finish(),
    discard: async () =>
      opening
        ? (await opening.catch((error) => ignore(error, 'nothing was written')))?.discard()
        : privateFile.remove(),
  }
}

async function openOnDisk({ name, mime, size }: FileOffer, { privateFile, key }: DiskTarget): Promise<PortalSink> {
  const { tasks, run, end } = startWorker<StagedFileTasks>(stagedFileWorkerUrl, 'staged-file')
  let removing: Promise<void> | null = null
  const remove = async () => {
    await tasks.remove().catch((error) => ignore(error, 'the file is removed without its worker'))
    end()
    await privateFile.remove()
  }
  const discard = () => {
    removing ??= remove()
    return removing
  }
  await tasks.open(privateFile.name, size, key).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  return {
    write: (bytes, position) => run('write', [bytes, position], [bytes.buffer]),
    flush: tasks.flush,
    read: tasks.read,
    async release() {
      await tasks.release()
      end()
      privateFile.release()
    },
    async finish() {
      await tasks.finish(size)
      end()
      const file = await privateFile.read()
      saveBlob(file.slice(0, size, mime), name)
      privateFile.removeAfterCopying(size)
    },
    discard,
  }
}

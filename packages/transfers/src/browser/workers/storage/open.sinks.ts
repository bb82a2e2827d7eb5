import { ignore } from '@sallyport/contract/ignore'
import { smallFileBytes } from '@sallyport/contract/limits'
import type { Sink } from '../../../engine/download/sink.ts'
import type { OpenSinkInput, SavedFile } from '../tasks.ts'
import { openResumableFile, openTemporaryFile } from './encrypted-file.ts'
import type { EncryptedRecordStore } from './encrypted-record-store.ts'
import { openWithFallback } from './private-handle.ts'

export interface DownloadSink extends Sink<SavedFile> {
  /** The staged records, where a later attempt can resume from them. */
  readonly records?: EncryptedRecordStore
}

/**
 * The private file system where the browser has one and lets this page use it, else memory. A small file stays in memory
 * anyway: that is quicker, and leaves nothing on the disk but what the person saves.
 */
export async function openSink(input: OpenSinkInput): Promise<DownloadSink> {
  const { plainBytes } = input.keys.header
  if (plainBytes < smallFileBytes) return createMemorySink()
  return openWithFallback({
    bytes: plainBytes,
    openOnDisk: () => openDiskSink(input),
    createInMemory: createMemorySink,
  })
}

/** A partial file is resumed where an attempt broke off, even one of an earlier page. */
async function openDiskSink({ keys, privateName, isPartial }: OpenSinkInput): Promise<DownloadSink> {
  const file = await (isPartial ? openResumableFile : openTemporaryFile)(privateName, keys)
  const { records } = file
  const sink: Sink<SavedFile> = {
    storage: 'disk',
    isSeekable: true,
    write: (_plain, position, sealed) => records.put(position, sealed),
    async close(onDecrypted, signal) {
      await records.decryptAll({ onDecrypted, signal })
      file.close()
      return { privateName }
    },
    abort: file.remove,
  }
  if (!isPartial) return sink
  try {
    return { ...sink, records, writtenRecords: await records.findStored(), suspend: async () => file.close() }
  } catch (error) {
    await file.remove().catch((error) => ignore(error, 'a later visit removes it'))
    throw error
  }
}

/** Blobs are kept by the browser outside this worker, which may put them on the disk by itself. */
function createMemorySink(): Sink<SavedFile> {
  const parts: Blob[] = []
  return {
    storage: 'memory',
    isSeekable: false,
    write(bytes) {
      parts.push(new Blob([bytes]))
    },
    close: async () => ({ blob: new Blob(parts) }),
    async abort() {
      parts.length = 0
    },
  }
}

import { ignore } from '@sallyport/contract/ignore'
import type { FileKeys } from '@sallyport/crypto'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { DownloadSource } from '../../engine/download/source.ts'
import type { SavedFile } from '../workers/tasks.ts'
import { openDecryptWorker } from './crypto-workers.ts'
import type { PrivateFile } from './private-files.ts'
import { openServedDownload, type ServedFile } from './served-download.ts'

interface LargeFileInput {
  readonly keys: FileKeys
  readonly source: DownloadSource
  readonly name: string
  readonly privateFile: PrivateFile
}

/**
 * Opens the decrypt worker for a large file: it writes to the private file system, without one to a browser download
 * served by the service worker, and to memory where the browser has neither.
 */
export async function openLargeFileWorker(input: LargeFileInput): Promise<DecryptWorker<SavedFile | ServedFile>> {
  const { keys, privateFile } = input
  const worker = await openDecryptWorker(keys, privateFile).catch((error: unknown) => ({ storage: null, error }))
  if (worker.storage === 'disk') return worker
  try {
    const servedWorker = await openServedDownload({ keys, path: input.source.path, name: input.name })
    if (worker.storage !== null) await worker.abort()
    return servedWorker
  } catch (error) {
    ignore(error, 'without a service worker the file is held in memory')
    if (worker.storage === null) throw worker.error
    return worker
  }
}

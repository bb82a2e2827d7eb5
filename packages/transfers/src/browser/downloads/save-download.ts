import { ignore } from '@sallyport/contract/ignore'
import { smallFileBytes } from '@sallyport/contract/limits'
import type { FileKeys } from '@sallyport/crypto'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { DownloadSource } from '../../engine/download/source.ts'
import type { SavedFile } from '../workers/tasks.ts'
import { openDecryptWorker } from './crypto-workers.ts'
import type { PrivateFile } from './private-files.ts'
import { openServedDownload } from './served-download.ts'
import { type ServedFile, withFallback } from './with-fallback.ts'

interface SaveDownloadInput {
  readonly keys: FileKeys
  readonly source: DownloadSource
  readonly name: string
  readonly privateFile: PrivateFile
}

/**
 * Opens the worker that decrypts a download: the service worker, whose response the browser saves as it arrives. Without
 * a service worker the file is staged in the private file system, or in memory where the browser has neither. A small
 * file is always held in memory.
 */
export async function openDownloadWorker(input: SaveDownloadInput): Promise<DecryptWorker<SavedFile | ServedFile>> {
  const { keys, privateFile, source, name } = input
  const opening = openDecryptWorker(keys, privateFile)
  if (keys.header.plainBytes < smallFileBytes) return opening
  const staged = opening.then((worker) => (worker.storage === 'disk' && privateFile.isPartial ? worker : null))
  const [worker, served] = await Promise.all([
    opening.catch((error: Error) => error),
    openServedDownload({ keys, path: source.path, name, staged: staged.catch(() => null) }).catch((error) =>
      ignore(error, 'without a service worker the file is saved once it is complete'),
    ),
  ])
  if (served) return withFallback(served, worker instanceof Error ? null : worker)
  if (worker instanceof Error) throw worker
  return worker
}

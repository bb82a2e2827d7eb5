import type { OpenLane } from '@sallyport/client/download/open-lane'
import type { DownloadSource } from '@sallyport/client/download/source'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { sessionFiles } from '@sallyport/contract/session-files'
import { sharing } from '@sallyport/contract/sharing'
import type { FileKeys } from '@sallyport/crypto'
import type { SavedFile } from '#/workers/tasks.ts'
import { openReceivingLane } from './browser-lanes.ts'
import type { PrivateFile } from './private-files.ts'
import { openServedLane, type ServedFile } from './served-lane.ts'

interface Wish {
  readonly keys: FileKeys
  readonly source: DownloadSource
  readonly name: string
  readonly place: PrivateFile
}

/**
 * For a large file: the private file system; without one the browser's own download, written by the service worker; and
 * memory where the browser has neither.
 */
export async function openLargeLane(wish: Wish): Promise<OpenLane<SavedFile | ServedFile>> {
  const { keys, place } = wish
  const lane = await openReceivingLane(keys, place).catch((error: unknown) => ({ place: null, error }))
  if (lane.place === 'disk') return lane
  try {
    const served = await openServedLane({ keys, path: pathOf(wish.source), name: wish.name })
    if (lane.place !== null) await lane.abort()
    return served
  } catch {
    if (lane.place === null) throw lane.error
    return lane
  }
}

function pathOf(source: DownloadSource): string {
  if (source.kind === 'share') return fillPath(sharing.download.path, { token: source.share.token })
  if (source.kind === 'session') return fillPath(sessionFiles.download.path, { fileId: source.id })
  return fillPath(files.download.path, { id: source.id })
}

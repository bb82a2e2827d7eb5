import type { OpenLane } from '@sallyport/client/download/open-lane'
import type { DownloadSource } from '@sallyport/client/download/source'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import { sharing } from '@sallyport/contract/sharing'
import type { FileKeys } from '@sallyport/crypto'
import type { SavedFile } from '#/workers/tasks.ts'
import { openReceivingLane } from './browser-lanes.ts'
import type { ServedFile } from './served-lane.ts'

interface Wish {
  readonly keys: FileKeys
  readonly source: DownloadSource
  readonly name: string
  readonly privateName: string
}

/**
 * The private file system; for a large file without one the browser's own download, written by the service worker; and
 * memory where the browser has neither.
 */
export async function openBestLane(wish: Wish): Promise<OpenLane<SavedFile | ServedFile>> {
  const { keys, privateName } = wish
  const isLarge = keys.header.plainBytes > largeDownloadBytes
  const lane = await openReceivingLane(keys, privateName).catch((error: unknown) => {
    if (!isLarge) throw error
    return { place: null, error }
  })
  if (lane.place === 'disk' || (lane.place === 'memory' && !isLarge)) return lane
  try {
    const { openServedLane } = await import('./served-lane.ts')
    const served = await openServedLane({ keys, path: pathOf(wish.source), name: wish.name })
    if (lane.place !== null) await lane.abort()
    return served
  } catch {
    if (lane.place === null) throw lane.error
    return lane
  }
}

const pathOf = (source: DownloadSource): string =>
  source.kind === 'share'
    ? fillPath(sharing.download.path, { token: source.share.token })
    : fillPath(files.download.path, { id: source.id })

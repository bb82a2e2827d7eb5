import { type Call, type Connection, createCaller } from '@sallyport/client/call'
import { ApiError, invalidResponse, NetworkError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { lookAtShare, openShareLink, type SharedFile, ShareLinkError } from '@sallyport/client/sharing/shared-file'
import { secondsLeft } from '@sallyport/client/throughput'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import { lastPartOf } from '@sallyport/crypto'
import type { Downloads, ListedDownload } from '#/transfers/downloads.ts'
import { shareWords } from '#/words/sharing.ts'
import type { ShareView } from './share-view.ts'

/** One opened share link, from looking at it to the saved file. Nothing but a press of the button asks for its bytes. */
export interface SharedDownload {
  readonly view: Observable<ShareView>
  readonly download: () => void
  readonly cancel: () => void
  /** Once more after a failure: from where it failed. */
  readonly retry: () => void
  /** Follows the download until the returned function is called; without it nothing is shown of one. */
  readonly watch: () => () => void
}

interface Deps {
  /** The whole address of the page, with the key after #. */
  readonly link: string
  readonly connection: Connection
  readonly downloads: Downloads
}

/** What the page behind a link shows and does. Fails never by itself: what goes wrong is a state of its view. */
export function openSharedDownload({ link, connection, downloads }: Deps): SharedDownload {
  const view = createSubject<ShareView>({ state: 'loading' })
  const call = createCaller(connection)
  let shared: DatedFile | null = null
  let downloadId: string | null = null

  async function look(): Promise<void> {
    view.set({ state: 'loading' })
    try {
      shared = await lookAt(call, link)
      view.set({ state: 'ready', file: fileOf(shared) })
    } catch (error) {
      view.set(troubleOf(error, link))
    }
  }

  function start(): void {
    if (!shared) return
    const { name, plainBytes } = shared
    downloadId = downloads.start({ source: { kind: 'share', share: shared }, name, size: plainBytes })
    follow()
  }

  function follow(): void {
    const download = downloads.current().find(({ id }) => id === downloadId)
    if (!download || !shared) return
    view.set(viewOf(download, shared, link))
    if (download.state.status === 'waiting' || download.state.status === 'receiving') return
    downloadId = null
    downloads.dismiss(download.id)
    if (download.state.status === 'done') void checkRepeat()
  }

  /** A limited link may have been used up by this download, and another one must not be offered then. */
  async function checkRepeat(): Promise<void> {
    const repeat = (await isGone(call, link)) ? 'used-up' : 'possible'
    const present = view.current()
    if (present.state === 'complete') view.set({ ...present, repeat })
  }

  void look()

  return {
    view,
    download: start,
    cancel() {
      if (downloadId !== null) downloads.cancel(downloadId)
    },
    retry: () => (shared ? start() : void look()),
    watch: () => downloads.subscribe(follow),
  }
}

type DatedFile = SharedFile & { readonly expiresAt: number }

async function lookAt(call: Call, link: string): Promise<DatedFile> {
  const shared = await lookAtShare(call, await openShareLink(link))
  const { expiresAt } = shared
  if (expiresAt === null) throw new Error(invalidResponse)
  return { ...shared, expiresAt }
}

/** Whether the link leads nowhere any more; false also where that could not be found out. */
async function isGone(call: Call, link: string): Promise<boolean> {
  try {
    await lookAt(call, link)
    return false
  } catch (error) {
    return error instanceof ApiError && error.status === 404
  }
}

function viewOf({ state }: ListedDownload, shared: DatedFile, link: string): ShareView {
  const file = fileOf(shared)
  switch (state.status) {
    case 'waiting':
      return { state: 'downloading', file, deliveredBytes: 0, bytesPerSecond: null, secondsLeft: null, isHeavy: false }
    case 'receiving': {
      const { receivedBytes, totalBytes, bytesPerSecond, place } = state
      return {
        state: 'downloading',
        file,
        deliveredBytes: receivedBytes,
        bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
        secondsLeft: secondsLeft(totalBytes - receivedBytes, bytesPerSecond),
        isHeavy: place === 'memory' && totalBytes > largeDownloadBytes,
      }
    }
    case 'done':
      return { state: 'complete', file, repeat: 'checking' }
    case 'cancelled':
      return { state: 'ready', file }
    case 'failed':
      return troubleOf(state.error, link)
  }
}

/** Without the folders of its owner. */
const fileOf = ({ name, plainBytes, expiresAt }: DatedFile) => ({
  name: lastPartOf(name),
  sizeBytes: plainBytes,
  expiresAt,
})

function troubleOf(error: unknown, link: string): ShareView {
  if (error instanceof ShareLinkError && error.reason === 'incomplete') return { state: 'missing-key', link }
  const cause = error instanceof Error && error.message ? error.message : shareWords.invalid
  return { state: 'unavailable', cause, canRetry: mayPass(error) }
}

/** A lost network or a busy server; a refusal is final, and so is a link that does not fit. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.code === 'SHARE_BUSY'
  return error instanceof NetworkError
}

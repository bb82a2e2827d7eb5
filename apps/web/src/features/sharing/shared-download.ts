import { type Call, type Connection, createCaller } from '@sallyport/client/call'
import { alwaysOnline, runWhileOnline } from '@sallyport/client/connectivity'
import { ApiError, ClientError, hasCode, NetworkError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { getSharedFile, parseShareLink, type SharedFile } from '@sallyport/client/sharing/shared-file'
import { lastPartOf } from '@sallyport/crypto'
import type { Downloads } from '@sallyport/transfers/browser/downloads/downloads'
import { sharedFileSource } from '@sallyport/transfers/engine/download/shared-file-source'
import { isActive, type TransferJob } from '@sallyport/transfers/engine/job'
import { describeSharedDownload, downloadErrorStrings } from '#/strings/errors/download-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { shareStrings } from '#/strings/sharing.ts'
import type { ShareView } from './share-view.ts'

/** One opened share link, from its metadata to the saved file. The content is requested only by `download`. */
export interface SharedDownload {
  readonly view: Observable<ShareView>
  readonly download: () => void
  readonly cancel: () => void
  /** Asks the server whether the file that is offered still exists. */
  readonly recheck: () => Promise<void>
  /** Retries the step that failed. */
  readonly retry: () => void
  /** Updates the view with the download's progress until the returned function is called. */
  readonly watch: () => () => void
}

interface SharedDownloadDeps {
  /** The full URL of the page, with the key in the fragment. */
  readonly link: string
  readonly connection: Connection
  readonly downloads: Downloads
}

/** Creates the state of the share link page. It never throws; errors are states of its view. */
export function openSharedDownload({ link, connection, downloads }: SharedDownloadDeps): SharedDownload {
  const view = createSubject<ShareView>({ state: 'loading', isServerAway: false })
  const call = createCaller(connection)
  const { connectivity = alwaysOnline } = connection
  let shared: SharedFileMetadata | null = null
  let downloadId: string | null = null

  async function loadMetadata(): Promise<void> {
    const showLoading = () => view.set({ state: 'loading', isServerAway: !connectivity.current() })
    showLoading()
    const unsubscribe = connectivity.subscribe(showLoading)
    await runWhileOnline(connectivity, whileOpen, findFile).finally(unsubscribe).catch(showError)
  }

  async function findFile(): Promise<void> {
    shared = await fetchSharedFile(call, link)
    show({ state: 'ready', file: toSharedFile(shared) })
  }

  /** A download that has been started meanwhile is shown instead. */
  function show(next: ShareView): void {
    if (downloadId === null) view.set(next)
  }

  const showError = (error: unknown) => show(errorView(error, link))

  function start(): void {
    if (!shared) return
    const { name, plainBytes } = shared
    downloadId = downloads.start({ source: sharedFileSource(shared), name, size: plainBytes })
    updateView()
  }

  function updateView(): void {
    const job = downloads.current().find(({ id }) => id === downloadId)
    if (!job || !shared) return
    view.set(viewOf(job, shared, link))
    if (isActive(job)) return
    downloadId = null
    downloads.dismiss(job.id)
    if (job.state.status === 'done') void checkRepeat()
  }

  /** This download may have used up a limited link; in that case no other download must be offered. */
  async function checkRepeat(): Promise<void> {
    const repeat = (await isLinkExpired(call, link)) ? 'used-up' : 'possible'
    const current = view.current()
    if (current.state === 'complete') view.set({ ...current, repeat })
  }

  void loadMetadata()

  return {
    view,
    download: start,
    cancel() {
      if (downloadId !== null) downloads.cancel(downloadId)
    },
    recheck: () =>
      findFile().catch((error) => {
        if (isNotFound(error)) showError(error)
      }),
    retry: () => (shared ? start() : void loadMetadata()),
    watch: () => downloads.subscribe(updateView),
  }
}

type SharedFileMetadata = SharedFile & { readonly expiresAt: number }

async function fetchSharedFile(call: Call, link: string): Promise<SharedFileMetadata> {
  const shared = await getSharedFile(call, await parseShareLink(link))
  const { expiresAt } = shared
  if (expiresAt === null) throw new ClientError('INVALID_RESPONSE')
  return { ...shared, expiresAt }
}

/** Whether the link is no longer valid; also false if that could not be checked. */
async function isLinkExpired(call: Call, link: string): Promise<boolean> {
  try {
    await fetchSharedFile(call, link)
    return false
  } catch (error) {
    return isNotFound(error)
  }
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** The page waits for its file until it is closed. */
const whileOpen = new AbortController().signal

function viewOf(job: TransferJob, shared: SharedFileMetadata, link: string): ShareView {
  const file = toSharedFile(shared)
  switch (job.state.status) {
    case 'done':
      return { state: 'complete', file, repeat: 'checking' }
    case 'cancelled':
      return { state: 'ready', file }
    case 'failed':
      return errorView(job.state.error, link, downloadErrorStrings.unexpected)
    default:
      return { state: 'downloading', file, job }
  }
}

/** The name without the owner's folders. */
const toSharedFile = ({ name, plainBytes, expiresAt }: SharedFileMetadata) => ({
  name: lastPartOf(name),
  sizeBytes: plainBytes,
  expiresAt,
})

function errorView(
  error: unknown,
  link: string,
  fallback: string = downloadErrorStrings.SHARE_LINK_INVALID,
): ShareView {
  if (hasCode(error, 'SHARE_LINK_INCOMPLETE')) return { state: 'missing-key', link }
  const cause = messageFor(error, fallback, describeSharedDownload)
  return { state: 'unavailable', cause, hint: hintFor(error), canRetry: isRetryable(error) }
}

function hintFor(error: unknown): string {
  // Only the server knows whether a file has expired.
  if (hasCode(error, 'SHARE_LINK_INVALID')) return shareStrings.incompleteHint
  if (isOfDevice(error)) return ''
  const isLost = error instanceof ApiError && error.code === 'FILE_BYTES_LOST'
  return isLost ? shareStrings.uploadAgain : shareStrings.mayHaveExpired
}

/** True for a network failure, a busy server or missing space; other API errors and invalid links are final. */
function isRetryable(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.code === 'SHARE_BUSY'
  return error instanceof NetworkError || isOfDevice(error)
}

/** Whether this device could not save the file. */
const isOfDevice = (error: unknown): boolean =>
  hasCode(error, 'STORAGE_FULL', 'STAGED_FILE_CHANGED', 'DOWNLOAD_CANCELLED', 'WORKER_STOPPED', 'WORKER_FAILED')

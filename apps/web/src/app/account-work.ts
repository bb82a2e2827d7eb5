import { systemClock } from '@sallyport/client/clock'
import { accountTickets, openLiveChannel } from '@sallyport/client/live'
import type { Observable } from '@sallyport/client/observable'
import { type FileToShare, openShare, shareFile, stopSharing } from '@sallyport/client/sharing/share-link'
import { keepConnectionsWarm } from '@sallyport/client/warm'
import { files } from '@sallyport/contract/files'
import { chatLimits, smallFileBytes } from '@sallyport/contract/limits'
import type { ChatWork } from '#/chat/chat-context.ts'
import { openChat } from '#/chat/open-chat.ts'
import { createNameBook, type FindRoot } from '#/file-views/name-book.ts'
import { transferOfArchive } from '#/files/archive-transfer.ts'
import { refreshFiles } from '#/files/files.queries.ts'
import type { FileWork } from '#/files/files-context.ts'
import { createSavings } from '#/files/savings.ts'
import { withShareWords } from '#/files/share-failure.ts'
import { type ChosenFile, openingName } from '#/files/stored-files.ts'
import { followLive } from '#/live/follow-live.ts'
import { portalTransfers } from '#/portals/portal-transfers.ts'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import { createTransferNews, type TransferNews } from '#/transfer-views/transfer-news.ts'
import type { Transfer } from '#/transfer-views/transfer-state.ts'
import { transferOfUpload } from '#/transfer-views/upload-transfers.ts'
import { createArchives } from '#/transfers/archives.ts'
import { createDownloads } from '#/transfers/downloads.ts'
import { createKeptUploads } from '#/transfers/kept-uploads.ts'
import { openFile } from '#/transfers/open-file.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import { createUploads } from '#/transfers/uploads.ts'
import { clearFinished, retryWhenOnline, stopAll, whenRefused, whenUploaded } from '#/transfers/watch-transfers.ts'
import { fileWords } from '#/words/files.ts'
import { calmly } from './calmly.ts'
import { applyLiveEvent } from './live-updates.ts'
import { requireAccountKey } from './require-account-key.ts'
import type { Services } from './services.ts'

export interface AccountWork {
  readonly files: FileWork
  readonly chat: ChatWork
  /** Begins what goes on beside the screens; ends it when the returned function is called. */
  readonly start: () => () => void
  /** Takes back on the server whatever is half uploaded, as far as that can be done in a moment. */
  readonly takeBack: () => Promise<void>
}

/** Files are asked for this often while nothing is heard of them. */
const filesPollMs = 30_000
const longestTakeBackMs = 1000

/** Everything that needs the key of the account that has just been opened. */
export function openAccountWork(services: Services): AccountWork {
  const { api, connection, queries, keyRing } = services
  const { call } = api
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new Error('The account is locked')
  const { accountKey } = ring

  const { line } = services
  const kept = createKeptUploads(ring.userId)
  const uploads = createUploads({
    connection,
    accountKey: () => requireAccountKey({ auth: services.accounts.enter.auth, keyRing }),
    line,
    keeping: { kept, onLeft: () => void unfinished.refresh() },
  })
  const findRoot: FindRoot = async () => accountKey
  const unfinished: UnfinishedUploads = createUnfinishedUploads({
    call,
    findRoot,
    kept,
    uploads,
  })
  const downloads = createDownloads(connection)
  const archives = createArchives(connection, accountKey)
  const names = createNameBook(findRoot)
  const news = createTransferNews(() => Date.now())

  const sourceOf = ({ id, encryptedFileKey }: ChosenFile) =>
    ({ kind: 'file', id, accountKey, encryptedFileKey }) as const
  const startDownload: FileWork['downloads']['start'] = (file) => {
    const name = file.name === openingName ? fileWords.unreadableName : file.name
    downloads.start({ source: sourceOf(file), name, size: file.sizeBytes })
  }
  const openOwnFile = (file: ChosenFile) => openFile(sourceOf(file), connection)
  const playFile: FileWork['playFile'] = async (file, mediaType) => {
    const { openServedPreview } = await import('#/transfers/served-preview.ts')
    return openServedPreview({ source: sourceOf(file), mediaType, connection })
  }
  const savings = createSavings(openOwnFile, () => Date.now())

  const fileToShare = ({ id, encryptedFileKey }: ChosenFile): FileToShare => {
    return { id, encryptedFileKey, accountKey, origin: location.origin }
  }

  const expire = () => void services.accounts.gate.expire()
  const chat = openChat({ call, queries, accountKey, userId: ring.userId, onRefused: expire })

  return {
    chat,
    files: {
      uploads,
      unfinished,
      downloads: { ...downloads, list: downloads, start: startDownload },
      archives,
      otherTransfers: portalTransfers(),
      openFile: openOwnFile,
      playFile,
      savings,
      names,
      shareLinks: {
        linkTo: (file) => withShareWords(shareFile(call, fileToShare(file))),
        open: (file, change) => withShareWords(openShare(call, fileToShare(file), change)),
        stop: (fileId) => stopSharing(call, fileId),
      },
      news,
    },
    async takeBack() {
      const failed = uploads
        .current()
        .flatMap(({ resumableId, size }) => (size < smallFileBytes ? [] : (resumableId ?? [])))
      const left = [...failed, ...unfinished.current().flatMap(({ id, storedBytes }) => (storedBytes > 0 ? id : []))]
      const taken = left.map((uploadId) => call(files.cancelUpload, { params: { uploadId } }).catch(() => undefined))
      await Promise.race([Promise.all([uploads.drop(), ...taken]), systemClock.wait(longestTakeBackMs)])
    },
    start() {
      const ending = new AbortController()
      const refresh = calmly(() => void refreshFiles(queries, call))
      const stops = [
        services.policy.watch(expire),
        whenUploaded(uploads, refresh),
        tellNews({ news, kind: 'upload', list: uploads, transferOf: transferOfUpload }),
        tellNews({ news, kind: 'download', list: downloads, transferOf: transferOfDownload }),
        tellNews({ news, kind: 'download', list: archives, transferOf: transferOfArchive }),
        clearFinished(downloads),
        clearFinished(archives),
        whenRefused([uploads, downloads, archives], services.followRefusal),
        retryWhenOnline([uploads, downloads, archives]),
        () => uploads.suspend(),
        kept.close,
        line.subscribe(() => void unfinished.refresh()),
        () => stopAll(downloads),
        () => stopAll(archives),
        savings.cancelAll,
        followLive({
          channel: openLiveChannel({ askTicket: accountTickets(call), origin: location.origin }),
          onEvent: (event) => applyLiveEvent(event, { ...services, chat }),
          polls: [
            { everyMs: filesPollMs, ask: refresh },
            { everyMs: chatLimits.pollEveryMs, ask: () => void chat.news.poll() },
          ],
        }),
        refresh.stop,
        () => ending.abort(),
      ]
      void unfinished.refresh()
      void keepConnectionsWarm({ call, clock: systemClock, signal: ending.signal })
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

interface Told<One> {
  readonly news: TransferNews
  readonly kind: 'upload' | 'download'
  readonly list: Observable<readonly One[]>
  readonly transferOf: (one: One, now: number) => Transfer
}

/** Says what is new about the transfers of a list, until the returned function is called. */
function tellNews<One>({ news, kind, list, transferOf }: Told<One>): () => void {
  return list.subscribe(() => {
    const now = Date.now()
    news.follow(
      kind,
      list.current().map((one) => transferOf(one, now)),
    )
  })
}

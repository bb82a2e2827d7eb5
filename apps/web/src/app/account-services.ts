import { loadCode } from '@sallyport/browser/load-code'
import { systemClock } from '@sallyport/client/clock'
import { createAccountTicketGetter, openLiveChannel } from '@sallyport/client/live'
import type { Observable } from '@sallyport/client/observable'
import { createOrUpdateShare, type FileToShare, shareFile, stopSharing } from '@sallyport/client/sharing/share-link'
import { keepConnectionsWarm } from '@sallyport/client/warm'
import { files } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { chatLimits, smallFileBytes } from '@sallyport/contract/limits'
import { createArchives } from '@sallyport/transfers/browser/downloads/archives'
import { createDownloads } from '@sallyport/transfers/browser/downloads/downloads'
import { openFile } from '@sallyport/transfers/browser/downloads/open-file'
import {
  createInterruptedUploads,
  type InterruptedUploads,
} from '@sallyport/transfers/browser/uploads/interrupted-uploads'
import { createPersistedUploads } from '@sallyport/transfers/browser/uploads/persisted-uploads'
import { createUploads } from '@sallyport/transfers/browser/uploads/uploads'
import { createUploadsElsewhere } from '@sallyport/transfers/browser/uploads/uploads-elsewhere'
import {
  clearFinished,
  observeUploads,
  onTransferRejected,
  retryWhenOnline,
  stopAll,
} from '@sallyport/transfers/browser/watch-transfers'
import { ownFileSource } from '@sallyport/transfers/engine/download/own-file-source'
import type { FindRootKey } from '@sallyport/transfers/engine/file-name'
import { downloadToTransfer } from '#/components/transfers/download-transfers.ts'
import {
  createTransferAnnouncements,
  type TransferAnnouncements,
} from '#/components/transfers/transfer-announcements.ts'
import type { Transfer } from '#/components/transfers/transfer-state.ts'
import { uploadToTransfer } from '#/components/transfers/upload-transfers.ts'
import type { ChatContextValue } from '#/features/chat/chat-context.ts'
import { createChat } from '#/features/chat/create-chat.ts'
import { filesQuery, refreshFiles } from '#/features/files/files.queries.ts'
import type { FilesContextValue } from '#/features/files/files-context.ts'
import { createDeviceSaves } from '#/features/files/preview/device-saves.ts'
import { type FileRef, loadingName } from '#/features/files/stored-files.ts'
import { archiveToTransfer } from '#/features/files/transfers/archive-transfer.ts'
import { portalTransfers } from '#/features/portals/transfer/portal-transfers.ts'
import { createFileNameCache } from '#/lib/file-name-cache.ts'
import { findUnlisted } from '#/lib/realtime/find-unlisted.ts'
import { followLive } from '#/lib/realtime/follow-live.ts'
import { fileStrings } from '#/strings/files.ts'
import { createLiveUpdates } from './live/live-updates.ts'
import { throttle } from './live/throttle.ts'
import { requireAccountKey } from './require-account-key.ts'
import type { Services } from './services.ts'

export interface AccountServices {
  readonly files: FilesContextValue
  readonly chat: ChatContextValue
  /** Starts the background work; the returned function stops it. */
  readonly start: () => () => void
  /** Cancels incomplete uploads on the server, as far as possible within a short timeout. */
  readonly cancelUploads: () => Promise<void>
}

/** Poll interval of the file list while the live channel is silent. */
const filesPollIntervalMs = 30_000
const refreshIntervalMs = 2000
const cancelTimeoutMs = 1000

/** Creates everything that needs the key of the unlocked account. */
export function createAccountServices(services: Services): AccountServices {
  const { api, connection, queries, keyRing } = services
  const { call } = api
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new Error('The account is locked')
  const { accountKey } = ring

  const { connectivity } = services
  const persistedUploads = createPersistedUploads(ring.userId)
  const uploads = createUploads({
    connection,
    rootKey: () => requireAccountKey({ auth: services.accounts.signInDeps.auth, keyRing }),
    persistence: { persistedUploads, onReleased: () => void interrupted.refresh() },
    onPrepared: ({ sealedName, envelope }, name) =>
      fileNames.addOwn({ originalName: sealedName, encryptedFileKey: envelope }, name),
  })
  const findRootKey: FindRootKey = async () => accountKey
  const interrupted: InterruptedUploads = createInterruptedUploads({
    call,
    findRootKey,
    persistedUploads,
    uploads,
  })
  const downloads = createDownloads(connection)
  const archives = createArchives(connection, accountKey)
  const fileNames = createFileNameCache(findRootKey)
  const announcements = createTransferAnnouncements(systemClock.now)

  const sourceOf = ({ id, encryptedFileKey }: FileRef) => ownFileSource({ id, accountKey, encryptedFileKey })
  const startDownload: FilesContextValue['downloads']['start'] = (file) => {
    const name = file.name === loadingName ? fileStrings.unreadableName : file.name
    downloads.start({ source: sourceOf(file), name, size: file.sizeBytes })
  }
  const openOwnFile = (file: FileRef) => openFile(sourceOf(file), connection)
  const streamFile: FilesContextValue['streamFile'] = async (file, mediaType) => {
    const { openServedPreview } = await loadCode(() => import('@sallyport/transfers/browser/downloads/served-preview'))
    return openServedPreview({ source: sourceOf(file), mediaType, connection })
  }
  const isListed = (fileId: string) =>
    queries.getQueryData(filesQuery(call).queryKey)?.some(({ id }) => id === fileId) ?? false
  const deviceSaves = createDeviceSaves(openOwnFile, systemClock.now)

  const fileToShare = ({ id, encryptedFileKey }: FileRef): FileToShare => {
    return { id, encryptedFileKey, accountKey, origin: location.origin }
  }

  const expire = () => void services.accounts.authController.expire()
  const chat = createChat({ call, queries, accountKey, userId: ring.userId, connectivity, onUnauthorized: expire })

  return {
    chat,
    files: {
      uploads,
      interrupted,
      uploadsElsewhere: createUploadsElsewhere({ call, findRootKey }),
      downloads: { ...downloads, list: downloads, start: startDownload },
      archives,
      otherTransfers: portalTransfers(services.portals.current),
      openFile: openOwnFile,
      streamFile,
      deviceSaves,
      fileNames,
      shareLinks: {
        linkTo: (file) => shareFile(call, fileToShare(file)),
        open: (file, change) => createOrUpdateShare(call, fileToShare(file), change),
        stop: (fileId) => stopSharing(call, fileId),
      },
      announcements,
    },
    async cancelUploads() {
      const failedIds = uploads
        .current()
        .flatMap(({ resumableId, size }) => (size < smallFileBytes ? [] : (resumableId ?? [])))
      const resumableIds = [
        ...failedIds,
        ...interrupted.current().flatMap(({ id, storedBytes }) => (storedBytes > 0 ? id : [])),
      ]
      const cancellations = resumableIds.map((uploadId) =>
        call(files.cancelUpload, { params: { uploadId } }).catch((error) =>
          ignore(error, 'the server deletes the chunks later'),
        ),
      )
      await Promise.race([Promise.all([uploads.cancelAll(), ...cancellations]), systemClock.wait(cancelTimeoutMs)])
    },
    start() {
      const stopping = new AbortController()
      const refreshThrottled = throttle(() => void refreshFiles(queries, call), refreshIntervalMs)
      const liveUpdates = createLiveUpdates({ ...services, chat })
      const unlisted = findUnlisted({
        isListed: (id) => isListed(id) || liveUpdates.isAnnounced(id),
        onUnlisted: refreshThrottled,
      })
      const cleanups = [
        services.sessionLifetime.watch(expire),
        observeUploads(uploads, { onUploaded: unlisted.add, onDiscarded: refreshThrottled }),
        followTransfers({ news: announcements, kind: 'upload', list: uploads, transferOf: uploadToTransfer }),
        followTransfers({ news: announcements, kind: 'download', list: downloads, transferOf: downloadToTransfer }),
        followTransfers({ news: announcements, kind: 'download', list: archives, transferOf: archiveToTransfer }),
        clearFinished(downloads),
        clearFinished(archives),
        onTransferRejected([uploads, downloads, archives], services.handleApiError),
        retryWhenOnline([uploads, downloads, archives], connectivity),
        () => uploads.suspend(),
        persistedUploads.close,
        connectivity.subscribe(() => void interrupted.refresh()),
        () => stopAll(downloads),
        () => stopAll(archives),
        deviceSaves.cancelAll,
        chat.close,
        followLive({
          channel: openLiveChannel({ getTicket: createAccountTicketGetter(call), origin: location.origin }),
          onEvent: liveUpdates.apply,
          polls: [
            { everyMs: filesPollIntervalMs, poll: refreshThrottled },
            { everyMs: chatLimits.pollEveryMs, poll: () => void chat.sync.poll() },
          ],
        }),
        liveUpdates.stop,
        unlisted.stop,
        refreshThrottled.stop,
        () => stopping.abort(),
      ]
      void interrupted.refresh()
      void keepConnectionsWarm({ call, clock: systemClock, signal: stopping.signal })
      return () => {
        for (const stop of cleanups) stop()
      }
    },
  }
}

interface FollowTransfersInput<Item> {
  readonly news: TransferAnnouncements
  readonly kind: 'upload' | 'download'
  readonly list: Observable<readonly Item[]>
  readonly transferOf: (item: Item, now: number) => Transfer
}

/** Forwards changes in a list of transfers to the transfer notifications, until the returned function is called. */
function followTransfers<One>({ news, kind, list, transferOf }: FollowTransfersInput<One>): () => void {
  return list.subscribe(() => {
    const now = systemClock.now()
    news.update(
      kind,
      list.current().map((item) => transferOf(item, now)),
    )
  })
}

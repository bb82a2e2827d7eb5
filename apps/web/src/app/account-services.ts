import { loadCode } from '@sallyport/browser/load-code'
import { systemClock } from '@sallyport/client/clock'
import { createAccountTicketGetter, openLiveChannel } from '@sallyport/client/live'
import { createOrUpdateShare, type FileToShare, shareFile, stopSharing } from '@sallyport/client/sharing/share-link'
import { keepConnectionsWarm } from '@sallyport/client/warm'
import { files } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { chatLimits, smallFileBytes } from '@sallyport/contract/limits'
import { createBrowserTransfers } from '@sallyport/transfers/browser/browser-transfers'
import { createArchives } from '@sallyport/transfers/browser/downloads/archives'
import { openFile } from '@sallyport/transfers/browser/downloads/open-file'
import { createUploadsElsewhere } from '@sallyport/transfers/browser/uploads/uploads-elsewhere'
import { onTransferRejected, watchJobs } from '@sallyport/transfers/browser/watch-transfers'
import { ownFileSource } from '@sallyport/transfers/engine/download/own-file-source'
import type { FindRootKey } from '@sallyport/transfers/engine/file-name'
import { cancelAll, joinJobLists } from '@sallyport/transfers/engine/job-lists'
import { createTransferAnnouncements } from '#/components/transfers/transfer-announcements.ts'
import type { ChatContextValue } from '#/features/chat/chat-context.ts'
import { createChat } from '#/features/chat/create-chat.ts'
import { filesQuery, refreshFiles } from '#/features/files/files.queries.ts'
import type { FilesContextValue } from '#/features/files/files-context.ts'
import { createDeviceSaves } from '#/features/files/preview/device-saves.ts'
import { type FileRef, loadingName } from '#/features/files/stored-files.ts'
import { followPortalJobs } from '#/features/portals/transfer/portal-jobs.ts'
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
  const findRootKey: FindRootKey = async () => accountKey
  const { queue, uploads, downloads, interrupted, persistedUploads, watch } = createBrowserTransfers({
    connection,
    call,
    owner: ring.userId,
    rootKey: () => requireAccountKey({ auth: services.accounts.signInDeps.auth, keyRing }),
    findRootKey,
    onPrepared: ({ sealedName, envelope }, name) =>
      fileNames.addOwn({ originalName: sealedName, encryptedFileKey: envelope }, name),
  })
  const archives = createArchives(connection, accountKey)
  const fileNames = createFileNameCache(findRootKey)
  const announcements = createTransferAnnouncements(systemClock.now)

  const sourceOf = ({ id, encryptedFileKey }: FileRef) => ownFileSource({ id, accountKey, encryptedFileKey })
  const startDownload: FilesContextValue['startDownload'] = (file) => {
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
  const deviceSaves = createDeviceSaves(openOwnFile)
  const own = joinJobLists(uploads, downloads, deviceSaves, archives)
  const others = followPortalJobs(services.portals.current)

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
      startDownload,
      downloads: joinJobLists(downloads, deviceSaves),
      archives,
      transfers: { own, others, all: joinJobLists(own, others) },
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
      const failedIds = queue
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
      await Promise.race([Promise.all([queue.cancelAll(), ...cancellations]), systemClock.wait(cancelTimeoutMs)])
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
        watch({ onUploaded: unlisted.add, onDiscarded: refreshThrottled }),
        watchJobs(archives, connectivity),
        own.subscribe(() => announcements.update(own.current())),
        onTransferRejected(own, services.handleApiError),
        queue.suspend,
        persistedUploads.close,
        connectivity.subscribe(() => void interrupted.refresh()),
        () => cancelAll(deviceSaves),
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
      void keepConnectionsWarm({ call, clock: systemClock, signal: stopping.signal })
      return () => {
        for (const stop of cleanups) stop()
      }
    },
  }
}

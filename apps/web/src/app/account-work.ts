import { systemClock } from '@sallyport/client/clock'
import { openLiveChannel } from '@sallyport/client/live'
import { shareFile } from '@sallyport/client/share-link'
import type { UploadQueue } from '@sallyport/client/upload-queue'
import { keepConnectionsWarm } from '@sallyport/client/warm'
import type { LiveEvent } from '@sallyport/contract/live'
import type { Root } from '@sallyport/crypto'
import { userInfoQuery } from '#/api/account.queries.ts'
import { SpokenError } from '#/api/failure.ts'
import { transferOfDownload } from '#/files/download-transfers.ts'
import { addToList, filesQuery, refreshFiles, takeFromList } from '#/files/files.queries.ts'
import type { FileWork } from '#/files/files-context.ts'
import { createNameBook } from '#/files/name-book.ts'
import { createTransferNews } from '#/files/transfer-news.ts'
import { transferOfUpload } from '#/files/upload-transfers.ts'
import { followLive } from '#/live/follow-live.ts'
import { createDownloads } from '#/transfers/downloads.ts'
import { createUploads } from '#/transfers/uploads.ts'
import { fileWords } from '#/words/files.ts'
import { clearFinished } from './clear-finished.ts'
import type { Services } from './services.ts'

export interface AccountWork {
  readonly files: FileWork
  /** Begins what goes on beside the screens; ends it when the returned function is called. */
  readonly start: () => () => void
}

/** Everything that needs the key of the account that has just been opened. */
export function openAccountWork(services: Services): AccountWork {
  const { api, connection, queries, keyRing } = services
  const { call } = api
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new Error('The account is locked')
  const { accountKey } = ring

  const uploads = createUploads({ connection, accountKey: () => requireAccountKey(services) })
  const downloads = createDownloads(connection)
  const names = createNameBook(accountKey)
  const news = createTransferNews(() => Date.now())

  const findListed = (fileId: string) =>
    queries.getQueryData(filesQuery(call).queryKey)?.find(({ id }) => id === fileId)

  function startDownload(fileId: string): void {
    const file = findListed(fileId)
    if (!file) return
    const { encryptedFileKey, size } = file
    const name = names.current().get(fileId) ?? fileWords.unreadableName
    downloads.start({ source: { kind: 'file', id: fileId, accountKey, encryptedFileKey }, name, size })
  }

  function linkTo(fileId: string): Promise<string> {
    const encryptedFileKey = findListed(fileId)?.encryptedFileKey
    return shareFile(call, { id: fileId, encryptedFileKey, accountKey, origin: location.origin })
  }

  return {
    files: {
      uploads,
      downloads: { ...downloads, list: downloads, start: startDownload },
      names,
      shareLinks: { linkTo },
      news,
    },
    start() {
      const ending = new AbortController()
      const refresh = () => void refreshFiles(queries, call)
      const stops = [
        services.policy.watch(() => void services.accounts.gate.expire()),
        whenUploaded(uploads, refresh),
        uploads.subscribe(() =>
          news.follow(
            'upload',
            uploads.current().map((one) => transferOfUpload(one, Date.now())),
          ),
        ),
        downloads.subscribe(() =>
          news.follow(
            'download',
            downloads.current().map((one) => transferOfDownload(one, Date.now())),
          ),
        ),
        clearFinished(downloads),
        () => stopAll(uploads),
        () => stopAll(downloads),
        followLive({
          channel: openLiveChannel({ call, origin: location.origin }),
          onEvent: (event) => apply(event, services),
          onSilence: refresh,
        }),
        () => ending.abort(),
      ]
      void keepConnectionsWarm({ call, clock: systemClock, signal: ending.signal })
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

/** What an event of the live channel changes of what is shown. */
function apply(event: LiveEvent, { api, queries, accounts }: Services): void {
  const { call } = api
  const { queryKey } = filesQuery(call)
  switch (event.type) {
    case 'ready':
      // What happened before the connection stood was missed.
      return void refreshFiles(queries, call)
    case 'file.inserted':
      queries.setQueryData(queryKey, (listed) => addToList(listed, event.file))
      return void queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey })
    case 'file.deleted':
      queries.setQueryData(queryKey, (listed) => takeFromList(listed, event.id))
      return void queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey })
    case 'account.revoked':
      return void accounts.gate.expire()
  }
}

async function requireAccountKey({ accounts, keyRing }: Services): Promise<Root> {
  if (accounts.enter.auth.state.current().phase !== 'signed-in') throw new SpokenError(fileWords.missingSignIn)
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new SpokenError(fileWords.missingKey)
  return ring.accountKey
}

interface Transfers {
  current(): readonly { readonly id: string }[]
  cancel(id: string): void
  dismiss(id: string): void
}

/** What is under way for somebody who leaves must not go on. */
function stopAll(transfers: Transfers): void {
  for (const { id } of transfers.current()) {
    transfers.cancel(id)
    transfers.dismiss(id)
  }
}

/** Calls back each time one more upload has arrived. */
function whenUploaded(uploads: UploadQueue, callBack: () => void): () => void {
  const arrived = new Set<string>()
  return uploads.subscribe(() => {
    const before = arrived.size
    for (const { id, state } of uploads.current()) if (state.status === 'done') arrived.add(id)
    if (arrived.size > before) callBack()
  })
}

import type { Call } from '@sallyport/client/call'
import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import { createPortal } from '@sallyport/client/portal/portal'
import { removePrivateFiles } from '@sallyport/transfers/browser/downloads/private-files'
import { claimReceivedFile, removeReceivedFiles } from '@sallyport/transfers/browser/downloads/received-files'
import { guardUnload } from '@sallyport/transfers/browser/guard-unload'
import { keepAwake } from '@sallyport/transfers/browser/keep-awake'
import { deviceName } from '#/strings/device-name.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { openDirect } from './pairing/webrtc-direct.ts'
import { createUnverifiedPrompt, type PortalContextValue } from './portal-context.ts'
import { createPortalJournal } from './portal-journal.ts'
import { createInterruptedTransfers } from './transfer/interrupted-transfers.ts'
import { isMoving, listPortalJobs } from './transfer/portal-jobs.ts'
import { createQueuedFiles } from './transfer/queued-files.ts'
import { createReceivedFileSink, hasFreeSpaceFor } from './transfer/received-file-sink.ts'
import { createFolderSinks, needsFolder } from './transfer/received-folder-sink.ts'

/** Creates the portal of this page, which lives as long as the page. */
export function createPagePortal(call: Call): PortalContextValue {
  const { prompt: unverifiedPrompt, ask } = createUnverifiedPrompt()
  const name = deviceName(navigator.userAgent) ?? portalScreenStrings.browser
  const journal = createPortalJournal()
  let folderSinks: ((file: FileOffer) => PortalSink) | null = null
  const portal = createPortal({
    call,
    origin: location.origin,
    openDirect,
    hasFreeSpaceFor,
    // A resumed file continues in its earlier location.
    createSink: (file, place, key) =>
      place === undefined && folderSinks ? folderSinks(file) : createReceivedFileSink(file, place, key),
    deviceName: name,
    confirmUnverified: ask,
    journal: journal.journal,
    persistSlot: journal.persistSlot,
  })
  const interrupted = createInterruptedTransfers({
    portal,
    journal,
    removeFile: (file) => claimReceivedFile(file).remove(),
  })
  void interrupted.refresh()
  void removeReceivedFiles()
  void removePrivateFiles()
  let wasOpen = false
  portal.state.subscribe(() => {
    const isOpen = portal.state.current().mode !== 'menu'
    if (wasOpen && !isOpen) void journal.releaseTransfers().then(interrupted.refresh)
    wasOpen = isOpen
  })
  const transfers = listPortalJobs(portal)
  keepAwake(transfers, isMoving)
  guardUnload(transfers, isMoving)
  return {
    portal,
    deviceName: name,
    unverifiedPrompt,
    transfers,
    queuedFiles: createQueuedFiles(portal),
    interrupted,
    accept() {
      const files = portal.state.current().exchange.offer?.files ?? []
      folderSinks = needsFolder(files) ? createFolderSinks(files) : null
      // Creates the sinks of all files. A resumed transfer, which is not offered again, has sinks of its own.
      portal.answer(true)
      folderSinks = null
    },
  }
}

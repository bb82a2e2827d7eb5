import type { Call } from '@sallyport/client/call'
import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import { createPortal } from '@sallyport/client/portal/portal'
import { claimArrivingFile, clearArrivingFiles } from '#/transfers/arriving-files.ts'
import { guardUnload } from '#/transfers/guard-unload.ts'
import { keepAwake } from '#/transfers/keep-awake.ts'
import { clearPrivateFiles } from '#/transfers/private-files.ts'
import { deviceName } from '#/words/device-name.ts'
import { portalWords } from '#/words/portal.ts'
import { createArrivingFile, hasRoomFor } from './arriving-file.ts'
import { expectFolder, isFolder } from './arriving-folder.ts'
import { keptPortal } from './kept-portal.ts'
import { createQuestion, type PortalWork } from './portal-context.ts'
import { createPortalNotes } from './portal-notes.ts'
import { openDirect } from './rtc-direct.ts'
import { followTransfers, isMoving } from './shown-transfers.ts'
import { createUnfinished } from './unfinished.ts'

/** One for the whole page. */
export const thePortal = (call: Call): PortalWork => keptPortal(() => openPortalWork(call))

function openPortalWork(call: Call): PortalWork {
  const { question, ask } = createQuestion()
  const name = deviceName(navigator.userAgent) ?? portalWords.browser
  const notes = createPortalNotes()
  let inFolder: ((file: FileOffer) => PortalSink) | null = null
  const portal = createPortal({
    call,
    origin: location.origin,
    openDirect,
    hasRoomFor,
    // What goes on from an earlier page goes on where that had put it.
    sinkOf: (file, place, key) =>
      place === undefined && inFolder ? inFolder(file) : createArrivingFile(file, place, key),
    deviceName: name,
    confirmUnverified: ask,
    notes: notes.notes,
    keepPlace: notes.keepPlace,
  })
  const unfinished = createUnfinished({ portal, notes, removeFile: (file) => claimArrivingFile(file).remove() })
  void unfinished.refresh()
  void clearArrivingFiles()
  void clearPrivateFiles()
  let wasOpen = false
  portal.state.subscribe(() => {
    const { mode, exchange } = portal.state.current()
    const isOpen = mode !== 'menu'
    // What goes on later is not asked about again, and does not belong into the folder of another transfer.
    if (exchange.receiving?.phase === 'complete') inFolder = null
    if (wasOpen && !isOpen) void notes.leave().then(unfinished.refresh)
    wasOpen = isOpen
  })
  const transfers = followTransfers(portal.state)
  keepAwake(transfers, isMoving)
  guardUnload(transfers, isMoving)
  return {
    portal,
    deviceName: name,
    question,
    transfers,
    unfinished,
    accept() {
      const files = portal.state.current().exchange.offer?.files ?? []
      inFolder = isFolder(files) ? expectFolder(files) : null
      portal.answer(true)
    },
  }
}

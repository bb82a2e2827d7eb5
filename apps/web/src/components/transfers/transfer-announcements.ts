import { createSubject, type Observable } from '@sallyport/client/observable'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { shareDelivered, type Transfer } from './transfer-state.ts'

/** Announcements about transfers for screen readers, one sentence at a time. */
export interface TransferAnnouncements extends Observable<string> {
  /** Compares the transfers with the previous ones and announces changes. */
  readonly update: (kind: 'upload' | 'download', transfers: readonly Transfer[]) => void
}

const quarters = [25, 50, 75]
const minPauseMs = 10_000
/** Of this many transfers each would be announced before a screen reader has read the last one. */
const longListLength = 20

/**
 * Announces the start, each quarter and the end. Within 10 s of the last announcement quarters are skipped, and in a long
 * list everything.
 */
export function createTransferAnnouncements(now: () => number): TransferAnnouncements {
  const announcement = createSubject('')
  const milestones = new Map<string, string>()
  let lastAnnouncedAt = Number.NEGATIVE_INFINITY

  function announce(text: string): void {
    lastAnnouncedAt = now()
    announcement.set(text)
  }

  return {
    current: announcement.current,
    subscribe: announcement.subscribe,
    update(kind, transfers) {
      for (const transfer of transfers) {
        const key = `${kind} ${transfer.id}`
        const milestone = milestoneOf(transfer)
        if (milestone === milestones.get(key)) continue
        milestones.set(key, milestone)
        const isQuarter = transfer.state.phase === 'moving' && milestone !== '0' && milestone !== 'decrypting'
        const maySkip = isQuarter || transfers.length >= longListLength
        if (maySkip && now() - lastAnnouncedAt < minPauseMs) continue
        const text = announcementOf(kind, transfer, milestone)
        if (text) announce(text)
      }
    },
  }
}

/** A value that changes with each announcement. */
function milestoneOf(transfer: Transfer): string {
  if (transfer.state.phase !== 'moving') return transfer.state.phase
  if (transfer.state.isDecrypting) return 'decrypting'
  const percent = shareDelivered(transfer) * 100
  return String(quarters.findLast((quarter) => percent >= quarter) ?? 0)
}

function announcementOf(kind: 'upload' | 'download', transfer: Transfer, milestone: string): string | null {
  const fileName = visibleFileName(transfer.fileName)
  const isUpload = kind === 'upload'
  const { uploadingFile, decryptingFile, progressOf, uploaded, savedFile } = transferStrings
  switch (transfer.state.phase) {
    case 'moving':
      if (transfer.state.isDecrypting) return null
      if (milestone !== '0') return progressOf(fileName, milestone)
      return isUpload ? uploadingFile(fileName) : decryptingFile(fileName)
    case 'done':
      return isUpload ? uploaded(fileName) : savedFile(fileName)
    default:
      // Failures and cancelled uploads have banners, which screen readers announce themselves.
      return null
  }
}

import { createSubject, type Observable } from '@sallyport/client/observable'
import type { TransferJob } from '@sallyport/transfers/engine/job'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { shareDelivered } from './transfer-progress.ts'

/** Announcements about transfers for screen readers, one sentence at a time. */
export interface TransferAnnouncements extends Observable<string> {
  /** Compares the jobs with the previous ones and announces changes. */
  readonly update: (jobs: readonly TransferJob[]) => void
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
  /** A job whose state changes is another object, and of thousands only a few change. */
  const compared = new WeakSet<TransferJob>()
  let lastAnnouncedAt = Number.NEGATIVE_INFINITY

  function announce(text: string): void {
    lastAnnouncedAt = now()
    announcement.set(text)
  }

  return {
    current: announcement.current,
    subscribe: announcement.subscribe,
    update(jobs) {
      for (const job of jobs) {
        if (compared.has(job)) continue
        compared.add(job)
        const key = `${job.kind} ${job.id}`
        const milestone = milestoneOf(job)
        if (milestone === milestones.get(key)) continue
        milestones.set(key, milestone)
        const maySkip = quarters.includes(Number(milestone)) || jobs.length >= longListLength
        if (maySkip && now() - lastAnnouncedAt < minPauseMs) continue
        const text = announcementOf(job, milestone)
        if (text) announce(text)
      }
    },
  }
}

/** A value that changes with each announcement. */
function milestoneOf(job: TransferJob): string {
  const { status } = job.state
  if (status !== 'transferring' && status !== 'preparing') return status
  const percent = shareDelivered(job) * 100
  return String(quarters.findLast((quarter) => percent >= quarter) ?? 0)
}

/**
 * Null for failures and cancelled uploads, which have banners that screen readers announce themselves, and for a file that
 * is ready for an app on this device: that app has still to be chosen.
 */
function announcementOf({ kind, fileName, state }: TransferJob, milestone: string): string | null {
  const name = visibleFileName(fileName)
  const isUpload = kind === 'upload'
  const { uploadingFile, decryptingFile, progressOf, uploaded, savedFile } = transferStrings
  if (state.status === 'done' && kind === 'save') return null
  if (state.status === 'done') return isUpload ? uploaded(name) : savedFile(name)
  if (milestone === '0') return isUpload ? uploadingFile(name) : decryptingFile(name)
  return quarters.includes(Number(milestone)) ? progressOf(name, milestone) : null
}

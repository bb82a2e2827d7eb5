import { createSubject, type Observable } from '@sallyport/client/observable'
import { PortalError } from '@sallyport/client/portal/errors'
import type { TransferState } from '@sallyport/client/portal/exchange-state'
import type { Portal } from '@sallyport/client/portal/portal-state'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { isActive, type JobState, type TransferJob } from '@sallyport/transfers/engine/job'
import type { JobList } from '@sallyport/transfers/engine/job-list'

type Direction = 'sending' | 'receiving'

export interface PortalJob extends TransferJob {
  readonly kind: Direction
}

export interface PortalJobs extends JobList {
  current(): readonly PortalJob[]
}

const { completeShownMs, errorShownMs, receiveProgressCap } = legacyPortalLimits
const directions = ['receiving', 'sending'] as const

/** Lists active transfers of a portal, completed ones for a moment, and failed ones a little longer. */
export function listPortalJobs({ state, cancel }: Pick<Portal, 'state' | 'cancel'>): PortalJobs {
  const jobs = createSubject<readonly PortalJob[]>([])
  const shown = new Map<Direction, TransferState>()
  const ended = new WeakSet<TransferState>()

  function show(direction: Direction, transfer: TransferState | null): void {
    if (transfer) shown.set(direction, transfer)
    else shown.delete(direction)
    jobs.set([...shown].map(([kind, one]) => jobOf(kind, one)))
  }

  function end(direction: Direction, transfer: TransferState): void {
    ended.add(transfer)
    show(direction, transfer)
    const shownMs = transfer.phase === 'complete' ? completeShownMs : errorShownMs
    setTimeout(() => {
      if (shown.get(direction) === transfer) show(direction, null)
    }, shownMs)
  }

  state.subscribe(() => {
    for (const direction of directions) {
      const before = shown.get(direction) ?? null
      const transfer = state.current().exchange[direction]
      if (transfer === before || (transfer && ended.has(transfer))) continue
      if (transfer && hasEnded(transfer)) end(direction, transfer)
      else if (transfer) show(direction, transfer)
      // The portal was closed during the transfer.
      else if (before && !hasEnded(before)) {
        end(direction, { ...before, phase: 'failed', reason: new PortalError('CLOSED') })
      }
    }
  })

  return {
    ...withoutCommands(jobs),
    current: jobs.current,
    cancel(id) {
      const job = jobs.current().find((one) => one.id === id)
      if (job) cancel(job.kind)
    },
  }
}

const hasEnded = ({ phase }: TransferState): boolean => phase === 'complete' || phase === 'failed'

/** The jobs of the portal that this page has opened, or will open. */
export function followPortalJobs(portal: Observable<{ readonly transfers: PortalJobs } | null>): JobList {
  const jobs = createSubject<readonly TransferJob[]>([])
  let stop: () => void = () => undefined
  function track(): void {
    stop()
    const { transfers } = portal.current() ?? {}
    if (!transfers) return
    const update = () => jobs.set(transfers.current())
    stop = transfers.subscribe(update)
    update()
  }
  portal.subscribe(track)
  track()
  return { ...withoutCommands(jobs), cancel: (id) => portal.current()?.transfers.cancel(id) }
}

/** The other device is needed for everything but cancelling. */
function withoutCommands({ current, subscribe }: Observable<readonly TransferJob[]>): JobList {
  const ignored = () => undefined
  return { current, subscribe, cancel: ignored, retry: ignored, dismiss: ignored }
}

const jobOf = (kind: Direction, transfer: TransferState): PortalJob => ({
  id: `portal ${kind}`,
  kind,
  fileName: transfer.fileName,
  sizeBytes: transfer.total,
  state: toJobState(kind, transfer),
})

/** A received file at the display cap is being saved here; a sent one whose bytes are all sent, by the other device. */
function toJobState(kind: Direction, { phase, bytes, total, bytesPerSecond, reason }: TransferState): JobState {
  const progress = { deliveredBytes: bytes, bytesPerSecond }
  const cap = kind === 'receiving' ? receiveProgressCap : 1
  switch (phase) {
    case 'asking':
      return { status: 'waiting' }
    case 'encrypting':
      return { status: 'preparing', ...progress }
    case 'complete':
      return { status: 'done' }
    case 'failed':
      return { status: 'failed', error: reason, deliveredBytes: bytes }
    default:
      return { status: phase === 'processing' || bytes >= total * cap ? 'saving' : 'transferring', ...progress }
  }
}

/** Whether a transfer is active or about to start. */
export const isMoving = (jobs: readonly TransferJob[]): boolean => jobs.some(isActive)

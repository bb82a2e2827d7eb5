import { PortalError } from '@sallyport/client/portal/errors'
import type { JobState, TransferJob, TransferKind } from '@sallyport/transfers/engine/job'
import type { SealState } from '#/components/brand/seal.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import type { Tone } from '#/components/ui/badge.tsx'
import { archiveStrings } from '#/strings/archive.ts'
import { describeArchive } from '#/strings/errors/archive-errors.ts'
import { describeDownload } from '#/strings/errors/download-errors.ts'
import { type DescribeError, messageFor } from '#/strings/errors/message-for.ts'
import { describeUpload } from '#/strings/errors/upload-errors.ts'
import { fileStrings } from '#/strings/files.ts'
import { formatList } from '#/strings/format.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { describePortalError } from '#/strings/portals/portal-errors.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { shareDelivered } from './transfer-progress.ts'
import { shareEncrypted } from './transfer-total.ts'

interface TransferLabels {
  /** The accessible name of the bar. */
  readonly bar: (fileName: string) => string
  readonly badges: Record<'preparing' | 'transferring' | 'saving' | 'done', string>
  readonly cancel: string
  /** Continues “Cancel”. */
  readonly cancelSubject: (fileName: string) => string
  /** Restarts a cancelled one; null if it cannot be restarted from here. */
  readonly again: string | null
  readonly cancelled: string
  readonly describe: DescribeError
  /** Shown for an error that there is no sentence for. */
  readonly unexpected: string
}

const uploadLabels = (): TransferLabels => ({
  bar: transferStrings.uploadingFile,
  badges: {
    preparing: transferStrings.states.checking,
    transferring: transferStrings.states.encrypting,
    saving: transferStrings.states.encrypted,
    done: transferStrings.states.encrypted,
  },
  cancel: transferStrings.cancelUpload,
  cancelSubject: (fileName) => fileName,
  again: transferStrings.uploadAgain,
  cancelled: transferStrings.uploadCancelled,
  describe: describeUpload,
  unexpected: transferStrings.unexpected,
})

const downloadLabels = (): TransferLabels => ({
  bar: transferStrings.decryptingFile,
  badges: {
    preparing: transferStrings.states.decrypting,
    transferring: transferStrings.states.decrypting,
    saving: transferStrings.states.saving,
    done: transferStrings.states.saved,
  },
  cancel: transferStrings.cancel,
  cancelSubject: transferStrings.ofDownload,
  again: transferStrings.downloadAgain,
  cancelled: transferStrings.downloadCancelled,
  describe: describeDownload,
  unexpected: transferStrings.unexpected,
})

const archiveLabels = (): TransferLabels => ({
  ...downloadLabels(),
  cancelSubject: () => transferStrings.ofAllFiles,
  describe: describeArchive,
})

function portalLabels(direction: 'sending' | 'receiving'): TransferLabels {
  const badge = portalScreenStrings[direction]
  return {
    bar: portalScreenStrings.transferOf[direction],
    badges: { preparing: badge, transferring: badge, saving: badge, done: badge },
    cancel: portalScreenStrings.cancel,
    cancelSubject: (fileName) => fileName,
    again: null,
    cancelled: portalScreenStrings.cancelled,
    describe: (error) => (error instanceof PortalError ? describePortalError(error) : undefined),
    unexpected: portalScreenStrings.transferFailed,
  }
}

const labels: Record<TransferKind, () => TransferLabels> = {
  upload: uploadLabels,
  download: downloadLabels,
  save: downloadLabels,
  archive: archiveLabels,
  sending: () => portalLabels('sending'),
  receiving: () => portalLabels('receiving'),
}

/** What is said about a kind of transfer. Read with each use, because the language may change. */
export const labelsOf = (kind: TransferKind): TransferLabels => labels[kind]()

/** Whether the transfer has failed and its list can restart it; that of a portal needs the other device. */
export const isRetryable = ({ kind, state }: TransferJob): boolean =>
  state.status === 'failed' && labelsOf(kind).again !== null

export function sealStateOf(job: TransferJob): SealState {
  const { kind, state } = job
  if (state.status === 'done') return 'sealed'
  if (state.status === 'failed' || state.status === 'cancelled') return state.status
  const isDownload = kind === 'download' || kind === 'save' || kind === 'archive'
  if (state.status === 'waiting') return isDownload ? 'waiting' : 'idle'
  return isDownload || shareDelivered(job) > 0 ? 'sending' : 'encrypting'
}

const tones: Record<JobState['status'], Tone> = {
  waiting: 'neutral',
  preparing: 'seal',
  transferring: 'seal',
  saving: 'seal',
  paused: 'brass',
  done: 'seal',
  failed: 'rust',
  cancelled: 'neutral',
}

export function badgeOf(job: TransferJob): { readonly text: string; readonly tone: Tone } {
  const {
    kind,
    state: { status },
  } = job
  const { waiting, paused, failed, cancelled } = transferStrings.states
  const isSealed = kind === 'upload' && status === 'transferring' && shareEncrypted(job) >= 1
  const texts = { ...labelsOf(kind).badges, waiting, paused, failed, cancelled }
  const isChecking = kind === 'upload' && status === 'preparing'
  return { text: texts[isSealed ? 'done' : status], tone: isChecking ? 'neutral' : tones[status] }
}

export interface TransferNote {
  readonly text: string
  readonly tone: 'rust' | 'brass' | 'neutral'
  /** The user has to decide something. */
  readonly isUrgent?: boolean
}

/** The sentence that is shown instead of figures. */
export function noteOf({ kind, state }: TransferJob): TransferNote | undefined {
  const { unexpected, describe, cancelled } = labelsOf(kind)
  const reasonOf = (error: unknown) => messageFor(error, unexpected, describe)
  switch (state.status) {
    case 'failed':
      return { text: reasonOf(state.error), tone: 'rust' }
    case 'cancelled':
      return { text: cancelled, tone: 'neutral' }
    case 'paused': {
      const { fileName = '', error } = state
      if (error === undefined) return { text: pauseReason(), tone: 'brass' }
      const text = archiveStrings.fileFailed(visibleFileName(fileName), reasonOf(error))
      return { text, tone: 'brass', isUrgent: true }
    }
    case 'done': {
      const { skipped = [] } = state
      if (skipped.length === 0) return undefined
      return { text: archiveStrings.savedWithout(formatList(skipped.map(visibleFileName))), tone: 'neutral' }
    }
    default:
      return undefined
  }
}

const pauseReason = (): string => (navigator.onLine ? fileStrings.waitingForServer : fileStrings.waitingForNetwork)

import { formatBytes, formatPercent } from '@sallyport/contract/formats'
import { Download } from 'lucide-react'
import { HourRing } from '#/components/brand/hour-ring.tsx'
import { Seal } from '#/components/brand/seal.tsx'
import { timeBand, timeBandText } from '#/components/brand/time-band.ts'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { formatFigures, isMemoryHeavy, shareDelivered } from '#/components/transfers/transfer-progress.ts'
import { Button } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { downloadErrorStrings } from '#/strings/errors/download-errors.ts'
import { formatDateTime, toDate } from '#/strings/format.ts'
import { formatRemaining } from '#/strings/remaining-time.ts'
import { shareStrings } from '#/strings/sharing.ts'
import type { SharedFile, ShareView } from './share-view.ts'

const sealClass = 'max-md:size-24'

export function ShareLoading({ isServerAway }: { readonly isServerAway: boolean }) {
  return (
    <>
      <Seal state="waiting" size={120} className={sealClass} />
      <h1 className="mt-5 heading text-2xl">{shareStrings.loading}</h1>
      <p className="mt-1 text-base text-ink-2" role="status">
        {isServerAway ? shareStrings.waitingForServer : shareStrings.loadingHint}
      </p>
    </>
  )
}

interface ShareReadyProps {
  readonly file: SharedFile
  readonly now: number
  readonly onDownload: () => void
}

export function ShareReady({ file, now, onDownload }: ShareReadyProps) {
  return (
    <>
      <Seal state="sending" size={120} className={sealClass} />
      <FileHeading name={file.name} />
      <p className="mt-2 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-sm text-ink-2">
        <span className="num">{formatBytes(file.sizeBytes)}</span>
        {file.expiresAt === null || file.expiresAt <= now ? null : <TimeLeft expiresAt={file.expiresAt} now={now} />}
      </p>
      <Button
        variant="primary"
        size="large"
        fullWidth
        className="mt-5"
        icon={<Download aria-hidden size={18} strokeWidth={1.75} />}
        onClick={onDownload}
      >
        {shareStrings.download}
      </Button>
      <p className="mt-3 text-sm text-ink-2">{shareStrings.downloadHint}</p>
    </>
  )
}

interface TimeLeftProps {
  readonly expiresAt: number
  readonly now: number
}

function TimeLeft({ expiresAt, now }: TimeLeftProps) {
  return (
    <time
      dateTime={toDate(expiresAt).toISOString()}
      title={formatDateTime(expiresAt)}
      className={classNames('flex items-center gap-2', timeBandText[timeBand(expiresAt, now)])}
    >
      <HourRing expiresAt={expiresAt} now={now} />
      {formatRemaining(expiresAt, now)}
    </time>
  )
}

interface ShareProgressProps {
  readonly view: Extract<ShareView, { state: 'downloading' }>
  readonly onCancel: () => void
}

export function ShareProgress({ view: { job }, onCancel }: ShareProgressProps) {
  const { fileName, state } = job
  const name = visibleFileName(fileName)
  const isPaused = state.status === 'paused'
  const isSaving = state.status === 'saving'
  const delivered = shareDelivered(job)
  const { percent = formatPercent(delivered), bytes, speed, timeLeft } = formatFigures(job)
  return (
    <>
      <Seal state="sending" delivered={delivered} size={120} className={sealClass} />
      <FileHeading name={fileName} />
      <p className="mt-1 text-base text-ink-2" role="status">
        {isPaused ? shareStrings.waitingForServer : isSaving ? shareStrings.saving : shareStrings.receiving}
      </p>
      <div className="mt-4.5 w-full" aria-live="off">
        <TransferBar
          label={isSaving ? shareStrings.savingFile(name) : shareStrings.downloadingFile(name)}
          delivered={delivered}
          valueText={[shareStrings.percent(Number.parseInt(percent, 10)), timeLeft].filter(Boolean).join(', ')}
        />
        <div className="mt-2.5 flex flex-wrap justify-between gap-x-4 text-sm text-ink-2">
          <span className="num">{percent}</span>
          <span className="num">{bytes}</span>
          <span className="num">{speed}</span>
        </div>
        <p className="mt-1 min-h-5 text-sm text-ink-3">{timeLeft}</p>
        {isMemoryHeavy(job) ? (
          <p className="mt-1 text-sm text-balance text-brass-ink">{downloadErrorStrings.inMemory}</p>
        ) : null}
      </div>
      <Button className="mt-3" onClick={onCancel}>
        {shareStrings.cancel}
      </Button>
    </>
  )
}

interface ShareCompleteProps {
  readonly file: SharedFile
  readonly repeat: Extract<ShareView, { state: 'complete' }>['repeat']
  readonly onDownload: () => void
}

export function ShareComplete({ file, repeat, onDownload }: ShareCompleteProps) {
  return (
    <>
      <Seal state="sealed" size={120} className={sealClass} />
      <FileHeading name={file.name} />
      <p className="mt-1 text-base text-ink-2">
        <span className="font-semibold text-seal">{shareStrings.complete}</span>
        <span aria-hidden> · </span>
        {shareStrings.saved}
      </p>
      <p className="mt-1 text-sm text-ink-2">
        <span className="num">{formatBytes(file.sizeBytes)}</span>
      </p>
      <div className="mt-4.5 flex min-h-11 items-center">
        {repeat === 'possible' ? <Button onClick={onDownload}>{shareStrings.downloadAgain}</Button> : null}
        {repeat === 'used-up' ? <p className="text-sm text-balance text-ink-2">{shareStrings.usedUp}</p> : null}
      </div>
    </>
  )
}

function FileHeading({ name }: { readonly name: string }) {
  return (
    <h1 className="mt-5 max-w-full heading text-2xl wrap-anywhere">
      <bdi>{visibleFileName(name)}</bdi>
    </h1>
  )
}

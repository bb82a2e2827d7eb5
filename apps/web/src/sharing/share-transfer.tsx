import { formatBytes, formatPercent, formatRemaining, formatSpeed, formatTimeLeft } from '@sallyport/contract/formats'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { HourRing } from '#/motifs/hour-ring.tsx'
import { Seal } from '#/motifs/seal.tsx'
import { timeBand, timeBandText } from '#/motifs/time-band.ts'
import { TransferBar } from '#/motifs/transfer-bar.tsx'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { archiveWords } from '#/words/archive.ts'
import { shareWords } from '#/words/sharing.ts'
import type { SharedFile, ShareView } from './share-view.ts'

const sealClass = 'max-md:size-24'

export function ShareLoading() {
  return (
    <>
      <Seal state="waiting" size={120} className={sealClass} />
      <h1 className="mt-5 heading text-2xl">Loading</h1>
      <p className="mt-1 text-base text-ink-2">Looking up the file behind this link</p>
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
        {file.expiresAt === null ? null : <TimeLeft expiresAt={file.expiresAt} now={now} />}
      </p>
      <Button
        variant="primary"
        size="large"
        fullWidth
        className="mt-5"
        icon={<Download aria-hidden size={18} strokeWidth={1.75} />}
        onClick={onDownload}
      >
        Download
      </Button>
      <p className="mt-3 text-sm text-ink-2">No account needed. Your browser unseals it as it arrives.</p>
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
      dateTime={new Date(expiresAt).toISOString()}
      title={new Date(expiresAt).toLocaleString()}
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

export function ShareProgress({ view, onCancel }: ShareProgressProps) {
  const { file, deliveredBytes, bytesPerSecond, secondsLeft, isHeavy } = view
  const share = file.sizeBytes > 0 ? Math.min(1, deliveredBytes / file.sizeBytes) : 0
  const timeLeft = secondsLeft === null ? null : formatTimeLeft(secondsLeft)
  const percent = formatPercent(share)

  return (
    <>
      <Seal state="sending" delivered={share} size={120} className={sealClass} />
      <FileHeading name={file.name} />
      <p className="mt-1 text-base text-ink-2">Downloading and unsealing in your browser</p>
      <div className="mt-4.5 w-full" aria-live="off">
        <TransferBar
          label={`Downloading ${file.name}`}
          delivered={share}
          valueText={[percent.replace('%', ' percent'), timeLeft].filter(Boolean).join(', ')}
        />
        <div className="mt-2.5 flex flex-wrap justify-between gap-x-4 text-sm text-ink-2">
          <Figure>{percent}</Figure>
          <Figure>{`${formatBytes(deliveredBytes)} of ${formatBytes(file.sizeBytes)}`}</Figure>
          <Figure>{bytesPerSecond === null ? '' : formatSpeed(bytesPerSecond)}</Figure>
        </div>
        <p className="mt-1 min-h-5 text-sm text-ink-3">{timeLeft}</p>
        {isHeavy ? <p className="mt-1 text-sm text-balance text-brass-ink">{archiveWords.inMemory}</p> : null}
      </div>
      <Button className="mt-3" onClick={onCancel}>
        Cancel
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
        <span className="font-semibold text-seal">Complete</span>
        <span aria-hidden> · </span>
        Saved to your downloads
      </p>
      <p className="mt-1 text-sm text-ink-2">
        <span className="num">{formatBytes(file.sizeBytes)}</span>
      </p>
      <div className="mt-4.5 flex min-h-11 items-center">
        {repeat === 'possible' ? <Button onClick={onDownload}>Download again</Button> : null}
        {repeat === 'used-up' ? <p className="text-sm text-balance text-ink-2">{shareWords.usedUp}</p> : null}
      </div>
    </>
  )
}

function FileHeading({ name }: { readonly name: string }) {
  return (
    <h1 className="mt-5 line-clamp-3 max-w-full heading text-2xl wrap-anywhere" title={name}>
      <bdi>{name}</bdi>
    </h1>
  )
}

function Figure({ children }: { readonly children: ReactNode }) {
  return <span className="num">{children}</span>
}

import type { ExchangeState } from '@sallyport/client/portal/exchange-state'
import { pathOf } from '@sallyport/client/portal/zip-sink'
import { formatBytes } from '@sallyport/contract/formats'
import { classicPortalLimits } from '@sallyport/contract/limits'
import { useState } from 'react'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { portalWords } from '#/words/portal.ts'
import { folderName, isFolder } from './arriving-folder.ts'
import { CountdownRing } from './countdown-ring.tsx'

type Offer = NonNullable<ExchangeState['offer']>

interface PortalOfferProps {
  readonly offer: Offer | null
  /** What the other device calls itself; empty where it does not. */
  readonly peerName: string
  readonly onAccept: () => void
  readonly onDecline: () => void
}

/** Asks whether files of the other device are welcome, for as long as that device waits for an answer. */
export function PortalOffer({ offer, peerName, onAccept, onDecline }: PortalOfferProps) {
  // What was asked stays in the sheet while that goes away.
  const [asked, setAsked] = useState(offer)
  if (offer && offer !== asked) setAsked(offer)
  if (!asked) return null
  const { files, total } = asked
  return (
    <ConfirmDialog
      open={offer !== null}
      onOpenChange={onDecline}
      title={portalWords.wants(peerName, whatOf(asked))}
      description={files.length === 1 ? formatBytes(total) : portalWords.filesOf(files.length, formatBytes(total))}
      cancelLabel={portalWords.decline}
      confirmLabel={portalWords.accept}
      tone="primary"
      onConfirm={onAccept}
    >
      {files.length > 1 ? <FileList files={files} /> : null}
      <div className="mt-4 flex items-center gap-3.5">
        {offer ? (
          <CountdownRing key={`${files.length} ${total}`} milliseconds={classicPortalLimits.acceptTimeoutMs} />
        ) : null}
        <p className="text-sm text-ink-2">{placeOf(files)}</p>
      </div>
    </ConfirmDialog>
  )
}

export function whatOf({ files }: Offer): string {
  const [first] = files
  const folder = folderName(files)
  if (folder !== null) return portalWords.folder(folder)
  return first && files.length === 1 ? first.name : portalWords.moreFiles(files.length)
}

function placeOf(files: Offer['files']): string {
  if (!isFolder(files)) return portalWords.toDownloads
  return window.showDirectoryPicker ? portalWords.toChosenFolder : portalWords.toArchive
}

const mostListed = 100

function FileList({ files }: { readonly files: Offer['files'] }) {
  return (
    <ul
      aria-label={portalWords.offered}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard.
      tabIndex={0}
      className="max-h-52 divide-y divide-line overflow-y-auto rounded-control border border-line bg-sunken text-sm"
    >
      {files.slice(0, mostListed).map((file) => (
        <li key={pathOf(file)} className="flex items-baseline justify-between gap-4 px-3 py-2">
          <bdi className="min-w-0 wrap-anywhere">{pathOf(file)}</bdi>
          <span className="num shrink-0 text-xs text-ink-2">{formatBytes(file.size)}</span>
        </li>
      ))}
      {files.length > mostListed ? (
        <li className="px-3 py-2 text-ink-2">{portalWords.andMore(files.length - mostListed)}</li>
      ) : null}
    </ul>
  )
}

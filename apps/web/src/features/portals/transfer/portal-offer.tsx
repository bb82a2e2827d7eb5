import type { ExchangeState } from '@sallyport/client/portal/exchange-state'
import { pathOf } from '@sallyport/client/portal/transfer/zip-sink'
import { formatBytes } from '@sallyport/contract/formats'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { useState } from 'react'
import { Name } from '#/components/names/name.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { visibleName } from '#/components/names/visible-name.ts'
import { nameInSentence } from '#/components/names/visible-text.ts'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { CountdownRing } from '../pairing/countdown-ring.tsx'
import { folderName, needsFolder } from './received-folder-sink.ts'

type Offer = NonNullable<ExchangeState['offer']>

interface PortalOfferProps {
  readonly offer: Offer | null
  /** The name that the other device sends; empty where it sends none. */
  readonly peerName: string
  readonly onAccept: () => void
  readonly onDecline: () => void
}

/** Asks whether to accept the offered files, until the offer expires. */
export function PortalOffer({ offer, peerName, onAccept, onDecline }: PortalOfferProps) {
  // Keeps the last offer so that the sheet shows it while it closes.
  const [lastOffer, setAsked] = useState(offer)
  if (offer && offer !== lastOffer) setAsked(offer)
  if (!lastOffer) return null
  const { files, total } = lastOffer
  return (
    <ConfirmDialog
      open={offer !== null}
      onOpenChange={onDecline}
      title={describeOffer(lastOffer, peerName)}
      description={
        files.length === 1 ? formatBytes(total) : portalScreenStrings.fileSummary(files.length, formatBytes(total))
      }
      cancelLabel={portalScreenStrings.decline}
      confirmLabel={portalScreenStrings.accept}
      tone="primary"
      onConfirm={onAccept}
    >
      {files.length > 1 ? <FileList files={files} /> : null}
      <div className="mt-4 flex items-center gap-3.5">
        {offer ? (
          <CountdownRing key={`${files.length} ${total}`} milliseconds={legacyPortalLimits.acceptTimeoutMs} />
        ) : null}
        <p className="text-sm text-ink-2">{destinationHint(files)}</p>
      </div>
    </ConfirmDialog>
  )
}

/** Says who wants to send what. */
export function describeOffer(offer: Offer, peerName: string): string {
  const file = offerTitle(offer)
  return peerName
    ? portalScreenStrings.wants(nameInSentence(peerName), file)
    : portalScreenStrings.otherDeviceWants(file)
}

function offerTitle({ files }: Offer): string {
  const [first] = files
  const folder = folderName(files)
  if (folder !== null) return portalScreenStrings.folder(visibleName(folder))
  return first && files.length === 1 ? visibleFileName(first.name) : portalScreenStrings.moreFiles(files.length)
}

function destinationHint(files: Offer['files']): string {
  if (!needsFolder(files)) return portalScreenStrings.toDownloads(files.length)
  return window.showDirectoryPicker ? portalScreenStrings.toChosenFolder : portalScreenStrings.toArchive
}

const maxListed = 100

function FileList({ files }: { readonly files: Offer['files'] }) {
  return (
    <ul
      aria-label={portalScreenStrings.offered}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list has to be reachable by keyboard.
      tabIndex={0}
      className="max-h-52 divide-y divide-line overflow-y-auto rounded-control border border-line bg-sunken text-sm"
    >
      {files.slice(0, maxListed).map((file) => (
        <li key={pathOf(file)} className="flex items-baseline justify-between gap-4 px-3 py-2">
          <Name className="min-w-0 wrap-anywhere">{pathOf(file)}</Name>
          <span className="num shrink-0 text-xs text-ink-2">{formatBytes(file.size)}</span>
        </li>
      ))}
      {files.length > maxListed ? (
        <li className="px-3 py-2 text-ink-2">{portalScreenStrings.andMore(files.length - maxListed)}</li>
      ) : null}
    </ul>
  )
}

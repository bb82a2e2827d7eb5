import type { PortalState } from '@sallyport/client/portal/portal'
import { formatPercent } from '@sallyport/contract/formats'
import { useSyncExternalStore } from 'react'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { pickFiles } from '#/ui/pick-files.ts'
import { portalWords } from '#/words/portal.ts'
import { usePortalWork } from './portal-context.ts'
import type { BrokenTransfer, Unfinished } from './unfinished.ts'

/** What earlier pages left in the middle, to be gone on with or thrown away. */
export function PortalUnfinished({ state }: { readonly state: PortalState }) {
  const { unfinished } = usePortalWork()
  const { place, transfers } = useSyncExternalStore(unfinished.subscribe, unfinished.current)
  const way = state.isConnected ? 'connected' : place && state.mode === 'menu' ? 'place' : 'none'
  const isOnlyPlace = way === 'place' && transfers.length === 0
  if (transfers.length === 0 && !isOnlyPlace) return null
  return (
    <Card aria-label={portalWords.brokenOff} padded={false}>
      <ul className="divide-y divide-line">
        {isOnlyPlace && place ? (
          <li className="pad-card">
            <PlaceRow place={place} />
          </li>
        ) : null}
        {transfers.map((transfer) => (
          <li key={transfer.tid} className="pad-card">
            <BrokenRow transfer={transfer} way={way} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function PlaceRow({ place }: { readonly place: NonNullable<Unfinished['place']> }) {
  const { unfinished } = usePortalWork()
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div>
        <p className="font-semibold">{portalWords.brokenPortal(place.peerName)}</p>
        <p className="mt-1 text-sm text-ink-2">{portalWords.brokenPortalHint}</p>
      </div>
      <div className="flex gap-3">
        <Button onClick={unfinished.comeBack}>{portalWords.resume}</Button>
        <Button variant="quiet" onClick={() => void unfinished.discardPlace()}>
          {portalWords.discard}
        </Button>
      </div>
    </div>
  )
}

interface BrokenRowProps {
  readonly transfer: BrokenTransfer
  /** How the other device can be reached. */
  readonly way: 'connected' | 'place' | 'none'
}

function BrokenRow({ transfer, way }: BrokenRowProps) {
  const { name, bytes, total } = transfer
  const share = total === 0 ? 0 : bytes / total
  return (
    <TransferRow
      fileName={name}
      seal="sending"
      badge={{ text: portalWords.brokenOff, tone: 'brass' }}
      label={`${portalWords[transfer.direction]} ${name}`}
      valueText={`${Math.floor(share * 100)} percent, broken off`}
      encrypted={share}
      delivered={share}
      note={<Note transfer={transfer} way={way} percent={formatPercent(share)} />}
      actions={<Actions transfer={transfer} way={way} />}
    />
  )
}

function Note({ transfer, way, percent }: BrokenRowProps & { readonly percent: string }) {
  const { trouble } = transfer
  if (trouble) {
    return (
      <span role="alert" className="text-rust wrap-anywhere">
        {portalWords.resumeTroubles[trouble]}
      </span>
    )
  }
  return <span className="text-brass-ink wrap-anywhere">{noteOf(transfer, way, percent)}</span>
}

function noteOf({ name, direction, isAtHand }: BrokenTransfer, way: BrokenRowProps['way'], percent: string): string {
  if (way === 'none') return portalWords.connectFirst(percent)
  if (!isAtHand) return portalWords.chooseAgain(name, percent)
  return direction === 'receiving' && way === 'connected'
    ? portalWords.otherResumes(percent)
    : portalWords.stoppedAt(percent)
}

function Actions({ transfer, way }: BrokenRowProps) {
  const { unfinished } = usePortalWork()
  const { tid, direction, name, isAtHand, trouble } = transfer
  const subject = <span className="sr-only"> {name}</span>

  async function choose() {
    await unfinished.goOnWith(tid, await pickFiles({ multiple: true }))
  }

  function resume() {
    if (direction === 'receiving') unfinished.comeBack()
    else void unfinished.goOn(tid)
  }

  const isChosen = direction === 'sending' && (!isAtHand || trouble !== null)
  const canResume = way === 'place' || (way === 'connected' && direction === 'sending')
  return (
    <>
      {canResume ? (
        <Button onClick={() => (isChosen ? void choose() : resume())}>
          {isChosen ? portalWords.chooseFile : portalWords.resume}
          {subject}
        </Button>
      ) : null}
      <Button variant="quiet" onClick={() => void unfinished.discard(tid)}>
        {portalWords.discard}
        {subject}
      </Button>
    </>
  )
}

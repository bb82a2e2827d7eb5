import type { TransferState } from '@sallyport/client/portal/exchange-state'
import type { JoinInput } from '@sallyport/client/portal/meeting/room-code'
import type { PortalState } from '@sallyport/client/portal/portal'
import { portalTexts } from '@sallyport/client/portal/texts'
import { classicPortalLimits } from '@sallyport/contract/limits'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { useTitle } from '#/ui/use-title.ts'
import { portalWords } from '#/words/portal.ts'
import { productName } from '#/words/product.ts'
import { takeWish, type Wish } from './arrival.ts'
import { Gateway } from './gateway.tsx'
import type { LastWord } from './kept-portal.ts'
import { joinInputOf, readPortalLink } from './link-secret.ts'
import { usePortal, usePortalState, usePortalWork, useShownTransfers } from './portal-context.ts'
import { PortalMenu } from './portal-menu.tsx'
import { PortalOpen } from './portal-open.tsx'
import { PortalTransfer } from './portal-transfer.tsx'
import { PortalUnfinished } from './portal-unfinished.tsx'
import { sayTrouble } from './say-trouble.ts'
import type { ShownTransfer } from './shown-transfers.ts'
import { useSending } from './use-sending.ts'

interface PortalPageProps {
  readonly isAnonymous?: boolean
  /** Called when a portal that stood is no more, with a sentence where the other device ended it or something broke off with it. */
  readonly onLeft?: (word: LastWord | null) => void
}

/** A direct way between two devices: opened, joined, used and closed. */
export function PortalPage({ isAnonymous = false, onLeft }: PortalPageProps) {
  useTitle(`${portalWords.title} · ${productName}`)
  const { portal, deviceName } = usePortalWork()
  const state = usePortalState()
  const shown = useShownTransfers()
  const { sendPicked, sendFolders, ...sending } = useSending()
  const [isByLink, setByLink] = useState(false)
  useWish(isAnonymous, setByLink)
  const [isClosedByOther, setClosedByOther] = useState(false)
  useLeaving(state.closedByPeer, onLeft ?? (({ isFailure }) => setClosedByOther(!isFailure)))
  if (isClosedByOther && state.mode !== 'menu') setClosedByOther(false)
  useFocusKept(state.isGuessed ? 'guessed' : state.mode)
  const isOpen = state.mode === 'create' || state.mode === 'connected'
  const current = shown.find(({ transfer }) => transfer.phase !== 'failed') ?? null
  const { isOver, fileCount } = useFileDrop({ onFiles: sendPicked, onFolders: sendFolders, enabled: current === null })

  function close() {
    portal.close()
    onLeft?.(null)
  }

  function join(by: JoinInput) {
    setByLink('secret' in by)
    portal.join(by)
  }

  return (
    <div className="mx-auto grid max-w-[62rem] gap-5 px-4 pt-7 pb-16 md:px-6">
      <h1 className={isOpen ? 'sr-only' : 'heading-large text-3xl max-md:text-2xl'}>
        {isAnonymous && state.isConnected ? portalWords.anonymousHeader : portalWords.title}
      </h1>
      <Notices sayTrouble={(trouble) => sayTrouble(trouble, { isAnonymous, isByLink })} {...sending} />
      {isClosedByOther ? <Banner onDismiss={() => setClosedByOther(false)}>{portalWords.closedByOther}</Banner> : null}
      {current === null && state.mode !== 'connecting' ? <PortalUnfinished state={state} /> : null}
      {state.mode === 'menu' ? <PortalMenu onCreate={portal.create} onJoin={join} /> : null}
      {state.mode === 'connecting' ? <Connecting onCancel={close} /> : null}
      {isOpen ? (
        <PortalOpen state={state} deviceName={deviceName} shown={current} onFiles={sendPicked} onClose={close} />
      ) : null}
      {current ? (
        <PortalTransfer {...current} path={state.path} onCancel={() => portal.cancel(current.direction)} />
      ) : null}
      <PageDropOverlay open={isOver} fileCount={fileCount} words={() => portalWords.drop} />
    </div>
  )
}

interface NoticesProps {
  readonly sayTrouble: (trouble: string) => string
  /** Why nothing was sent. */
  readonly trouble: string | null
  readonly leftOut: string
  readonly dismissLeftOut: () => void
}

function Notices({ sayTrouble: say, trouble: unsent, leftOut, dismissLeftOut }: NoticesProps) {
  const portal = usePortal()
  const { trouble, notice } = usePortalState()
  const failed = failedOf(useShownTransfers())
  const failure = unsent ?? (failed && sayFailure(failed.reason))
  const isCancelled = !unsent && failed?.reason === portalTexts.cancelled
  return (
    <>
      {trouble ? (
        <Banner tone="rust" urgent onDismiss={portal.dismiss}>
          {say(trouble)}
        </Banner>
      ) : null}
      {notice ? (
        <Banner tone="brass" urgent onDismiss={portal.dismiss}>
          {notice}
        </Banner>
      ) : null}
      {isCancelled ? <Banner>{portalWords.cancelled}</Banner> : null}
      {failure && !isCancelled ? (
        <Banner tone="rust" urgent>
          {failure}
        </Banner>
      ) : null}
      {leftOut === '' ? null : (
        <Banner tone="brass" onDismiss={dismissLeftOut}>
          {leftOut}
        </Banner>
      )}
    </>
  )
}

const failedOf = (shown: readonly ShownTransfer[]): TransferState | undefined =>
  shown.find(({ transfer }) => transfer.phase === 'failed')?.transfer

const sayFailure = (reason: string | undefined): string =>
  reason === undefined ? portalWords.transferFailed : portalWords.failed(reason)

const cancelAfterMs = 5000

function Connecting({ onCancel }: { readonly onCancel: () => void }) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), cancelAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Card depth="float" role="status" className="mx-auto w-full max-w-[30rem] text-center">
      <Gateway here="ajar" there="ajar" />
      <p className="heading mt-5 text-xl">{portalWords.connecting}</p>
      <p className="mt-1 text-sm text-ink-2">{portalWords.settingUp}</p>
      {isLong ? (
        <Button className="mt-5" onClick={onCancel}>
          {portalWords.cancel}
        </Button>
      ) : null}
    </Card>
  )
}

function inputOf(wish: Exclude<Wish, { kind: 'create' }>): JoinInput {
  if (wish.kind === 'join') return { pin: wish.pin }
  const link = readPortalLink(new URL(wish.link))
  const input = link ? joinInputOf(link) : { pin: '' }
  return 'pin' in input ? { ...input, isFromAddress: true } : input
}

/** Does what somebody came for by a link or from the front page. */
function useWish(isAnonymous: boolean, onByLink: (isByLink: boolean) => void): void {
  const portal = usePortal()
  const follow = useEffectEvent((wish: Wish) => {
    if (wish.kind === 'create') return portal.create()
    onByLink(wish.kind === 'follow')
    portal.join(inputOf(wish))
  })
  useEffect(() => {
    const wish = takeWish()
    if (!wish) return
    const delayMs = isAnonymous && wish.kind !== 'create' ? classicPortalLimits.anonymousJoinDelayMs : 0
    setTimeout(() => follow(wish), delayMs)
  }, [isAnonymous])
}

function useLeaving(closedByPeer: boolean, onLeft: (word: LastWord) => void): void {
  const { portal, transfers } = usePortalWork()
  const leave = useEffectEvent(() => {
    const failed = failedOf(transfers.current())
    portal.dismiss()
    onLeft(
      failed
        ? { text: sayFailure(failed.reason), isFailure: true }
        : { text: portalWords.closedByOther, isFailure: false },
    )
  })
  useEffect(() => {
    if (closedByPeer) leave()
  }, [closedByPeer])
}

/** What was pressed goes with its screen; whoever goes on by the keyboard begins at the next one. */
function useFocusKept(mode: PortalState['mode'] | 'guessed'): void {
  const shown = useRef(mode)
  useEffect(() => {
    if (shown.current !== mode && document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    shown.current = mode
  }, [mode])
}

import { classicPortalLimits } from '@sallyport/contract/limits'
import { fromBase64url } from '@sallyport/crypto'
import { useEffect, useEffectEvent, useState } from 'react'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { useTitle } from '#/ui/use-title.ts'
import { portalWords } from '#/words/portal.ts'
import { productName } from '#/words/product.ts'
import { takeWish, type Wish } from './arrival.ts'
import { Gateway } from './gateway.tsx'
import { outgoingFile } from './outgoing-file.ts'
import { usePortal, usePortalState } from './portal-context.ts'
import { PortalMenu } from './portal-menu.tsx'
import { PortalOpen } from './portal-open.tsx'
import { PortalQuestions } from './portal-questions.tsx'
import { PortalTransfer } from './portal-transfer.tsx'
import { useShownTransfer } from './use-shown-transfer.ts'

interface PortalPageProps {
  readonly isAnonymous?: boolean
  /** Called when a portal that stood is no more. */
  readonly onLeft?: () => void
}

/** A direct way between two devices: opened, joined, used and closed. */
export function PortalPage({ isAnonymous = false, onLeft }: PortalPageProps) {
  useTitle(`${portalWords.title} · ${productName}`)
  const portal = usePortal()
  const state = usePortalState()
  const { shown, failure } = useShownTransfer(state.exchange)
  useWish(isAnonymous)
  useLeaving(state.closedByPeer, onLeft)
  useFileDrop({ onFiles: send, enabled: state.isConnected && shown === null })

  function send(files: readonly File[]) {
    // A transfer that fails says so in its own state.
    portal.send(files.map(outgoingFile)).catch(() => undefined)
  }

  function close() {
    portal.close()
    onLeft?.()
  }

  return (
    <div className="mx-auto grid max-w-page gap-5 px-4 pt-7 pb-16 md:px-6">
      <h1 className="heading text-2xl">
        {isAnonymous && state.isConnected ? portalWords.anonymousHeader : portalWords.title}
      </h1>
      <Notices failure={failure} />
      {state.mode === 'menu' ? <PortalMenu onCreate={portal.create} onJoin={(pin) => portal.join(pin)} /> : null}
      {state.mode === 'connecting' ? <Connecting onCancel={close} /> : null}
      {shown ? <PortalTransfer {...shown} /> : null}
      {!shown && (state.mode === 'create' || state.mode === 'connected') ? (
        <PortalOpen state={state} onFiles={send} onClose={close} />
      ) : null}
      <PortalQuestions state={state} />
    </div>
  )
}

function Notices({ failure }: { readonly failure: string | null }) {
  const portal = usePortal()
  const { trouble, notice } = usePortalState()
  return (
    <>
      {trouble ? (
        <Banner tone="rust" urgent onDismiss={portal.dismiss}>
          {trouble}
        </Banner>
      ) : null}
      {notice ? (
        <Banner tone="brass" urgent onDismiss={portal.dismiss}>
          {notice}
        </Banner>
      ) : null}
      {failure ? (
        <Banner tone="rust" urgent>
          {portalWords.failed(failure)}
        </Banner>
      ) : null}
    </>
  )
}

const cancelAfterMs = 5000

function Connecting({ onCancel }: { readonly onCancel: () => void }) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), cancelAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Card depth="float" role="status" className="mx-auto w-full max-w-[30rem] text-center">
      <Gateway state="ajar" />
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

/** Does what somebody came for by a link or from the front page. */
function useWish(isAnonymous: boolean): void {
  const portal = usePortal()
  const follow = useEffectEvent((wish: Wish) => {
    if (wish.kind === 'create') portal.create()
    else portal.join(wish.pin, secretOf(wish.secret))
  })
  useEffect(() => {
    const wish = takeWish()
    if (!wish) return
    const delayMs = isAnonymous && wish.kind === 'join' ? classicPortalLimits.anonymousJoinDelayMs : 0
    setTimeout(() => follow(wish), delayMs)
  }, [isAnonymous])
}

/** A link that was cut short is as good as a typed code. */
function secretOf(text: string | null): Uint8Array<ArrayBuffer> | undefined {
  try {
    return text === null ? undefined : fromBase64url(text)
  } catch {
    return undefined
  }
}

function useLeaving(closedByPeer: boolean, onLeft: (() => void) | undefined): void {
  const portal = usePortal()
  const leave = useEffectEvent(() => {
    portal.dismiss()
    onLeft?.()
  })
  useEffect(() => {
    if (closedByPeer) leave()
  }, [closedByPeer])
}

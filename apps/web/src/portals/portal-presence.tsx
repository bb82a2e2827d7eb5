import { useEffect, useEffectEvent, useState } from 'react'
import { useTitleNews } from '#/ui/use-title-news.ts'
import { portalWords } from '#/words/portal.ts'
import { productName } from '#/words/product.ts'
import { notify } from './notices.ts'
import { PortalProvider, type PortalWork, usePortalState, usePortalWork } from './portal-context.ts'
import { PortalOffer, whatOf } from './portal-offer.tsx'
import { UnverifiedDevice } from './unverified-device.tsx'

/** What a portal asks and tells whatever screen is shown, and even while none is seen. */
export function PortalPresence({ work }: { readonly work: PortalWork }) {
  return (
    <PortalProvider value={work}>
      <Questions />
      <News />
    </PortalProvider>
  )
}

/** What has to be answered before anything goes on: an offer of files, and a device that cannot be verified. */
function Questions() {
  const { portal, accept } = usePortalWork()
  const { exchange, peerName } = usePortalState()
  return (
    <>
      <PortalOffer
        offer={exchange.offer}
        peerName={peerName}
        onAccept={accept}
        onDecline={() => portal.answer(false)}
      />
      <UnverifiedDevice />
    </>
  )
}

/** Somebody who looks at another tab is told on this one's, and by the system where they have asked for it. */
function News() {
  const { isConnected, peerName, exchange } = usePortalState()
  const { offer } = exchange
  const [news, setNews] = useState<string | null>(null)
  useTitleNews(news === null ? null : `${news} · ${productName}`)

  const tell = useEffectEvent((text: string) => {
    if (!document.hidden) return
    setNews(text)
    notify(text)
  })
  const tellOfOffer = useEffectEvent(() => {
    if (offer) tell(portalWords.wants(peerName, whatOf(offer)))
  })

  useEffect(() => {
    if (isConnected) tell(portalWords.deviceConnected)
  }, [isConnected])
  useEffect(() => {
    if (offer) tellOfOffer()
  }, [offer])
  useEffect(() => {
    const listening = new AbortController()
    const look = () => {
      if (!document.hidden) setNews(null)
    }
    document.addEventListener('visibilitychange', look, { signal: listening.signal })
    return () => listening.abort()
  }, [])
  return null
}

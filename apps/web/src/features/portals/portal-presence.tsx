import { useEffect, useEffectEvent } from 'react'
import { useHiddenAlert } from '#/components/alerts/use-hidden-alert.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { UnverifiedDevice } from './pairing/unverified-device.tsx'
import { type PortalContextValue, PortalProvider, usePortalContext, usePortalState } from './portal-context.ts'
import { describeOffer, PortalOffer } from './transfer/portal-offer.tsx'

/** Shows the prompts and notifications of the portal on every screen. */
export function PortalPresence({ context }: { readonly context: PortalContextValue }) {
  return (
    <PortalProvider value={context}>
      <PortalPrompts />
      <PortalAlerts />
    </PortalProvider>
  )
}

/** The prompts that need an answer: an offer of files, and a device that cannot be verified. */
function PortalPrompts() {
  const { portal, accept } = usePortalContext()
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

/** Notifies a user who is on another tab, in this tab's title and by system notification where it is permitted. */
function PortalAlerts() {
  const { isConnected, peerName, exchange } = usePortalState()
  const { offer } = exchange
  const showAlert = useHiddenAlert('portal')
  const alertIfHidden = useEffectEvent(showAlert)
  const alertOfOffer = useEffectEvent(() => {
    if (offer) alertIfHidden(describeOffer(offer, peerName))
  })

  useEffect(() => {
    if (isConnected) alertIfHidden(portalScreenStrings.deviceConnected)
  }, [isConnected])
  useEffect(() => {
    if (offer) alertOfOffer()
  }, [offer])
  return null
}

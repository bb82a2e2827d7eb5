import { useNavigate } from 'react-router'
import { useTransferIndicators } from '#/components/transfers/use-transfer-indicators.ts'
import { UiProvider } from '#/components/ui/ui-provider.tsx'
import { AnonymousPortal } from '#/features/portals/anonymous-portal.tsx'
import { createPagePortal } from '#/features/portals/page-portal.ts'
import { PortalProvider } from '#/features/portals/portal-context.ts'
import { type PortalEnding, usePortalEntry } from '#/features/portals/portal-entry.ts'
import { PortalPage } from '#/features/portals/portal-page.tsx'
import { PortalPresence } from '#/features/portals/portal-presence.tsx'
import { useCall } from '#/lib/api/api-context.ts'

function usePagePortal() {
  const call = useCall()
  return usePortalEntry().getOrCreate(() => createPagePortal(call))
}

/** The portal area of an account. */
export function PortalArea() {
  return (
    <PortalProvider value={usePagePortal()}>
      <PortalPage />
    </PortalProvider>
  )
}

/** The portal at its own URL, for anonymous visitors. */
export function AnonymousPortalRoute() {
  const navigate = useNavigate()
  const { ending } = usePortalEntry()
  const context = usePagePortal()
  useTransferIndicators(context.transfers)

  function leavePortal(reason: PortalEnding | null) {
    ending.set(reason)
    void navigate('/')
  }

  return (
    <UiProvider>
      <PortalProvider value={context}>
        <AnonymousPortal onEnded={leavePortal} />
      </PortalProvider>
      <PortalPresence context={context} />
    </UiProvider>
  )
}

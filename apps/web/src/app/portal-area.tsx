import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { useCall } from '#/api/api-context.ts'
import { AnonymousPortal } from '#/portals/anonymous-portal.tsx'
import { type LastWord, lastWord } from '#/portals/kept-portal.ts'
import { PortalProvider } from '#/portals/portal-context.ts'
import { PortalPage } from '#/portals/portal-page.tsx'
import { PortalPresence } from '#/portals/portal-presence.tsx'
import { transferOfPortal } from '#/portals/portal-transfers.ts'
import { thePortal } from '#/portals/the-portal.ts'
import { useTransferSigns } from '#/transfer-views/use-transfer-signs.ts'
import { UiProvider } from '#/ui/ui-provider.tsx'

/** The portal as an area of an account. */
export function PortalArea() {
  return (
    <PortalProvider value={thePortal(useCall())}>
      <PortalPage />
    </PortalProvider>
  )
}

/** The portal at an address of its own, for visitors. */
export function AnonymousPortalRoute() {
  const navigate = useNavigate()
  const work = thePortal(useCall())
  const shown = useSyncExternalStore(work.transfers.subscribe, work.transfers.current)
  useTransferSigns(shown.map(transferOfPortal))

  function leave(word: LastWord | null) {
    lastWord.set(word)
    void navigate('/')
  }

  return (
    <UiProvider>
      <PortalProvider value={work}>
        <AnonymousPortal onLeft={leave} />
      </PortalProvider>
      <PortalPresence work={work} />
    </UiProvider>
  )
}

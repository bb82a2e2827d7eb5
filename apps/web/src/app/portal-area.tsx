import { useNavigate } from 'react-router'
import { useCall } from '#/api/api-context.ts'
import { AnonymousPortal } from '#/portals/anonymous-portal.tsx'
import { PortalProvider } from '#/portals/portal-context.ts'
import { PortalPage } from '#/portals/portal-page.tsx'
import { thePortal } from '#/portals/the-portal.ts'
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
  return (
    <UiProvider>
      <PortalProvider value={thePortal(useCall())}>
        <AnonymousPortal onLeft={() => void navigate('/')} />
      </PortalProvider>
    </UiProvider>
  )
}

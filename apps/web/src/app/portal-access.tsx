import { useNavigate } from 'react-router'
import { PortalAccessCard } from '#/features/portals/pairing/portal-access-card.tsx'
import { type PortalIntent, usePortalEntry } from '#/features/portals/portal-entry.ts'

/** Portal access on the landing page. */
export function PortalAccess() {
  const navigate = useNavigate()
  const { setIntent } = usePortalEntry()

  function enter(intent: PortalIntent) {
    setIntent(intent)
    void navigate('/portal?anonymous=true')
  }

  return <PortalAccessCard onEnter={enter} />
}

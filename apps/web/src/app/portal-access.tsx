import { useNavigate } from 'react-router'
import { PortalAccessCard } from '#/portals/portal-access-card.tsx'

/** The way into a portal from the front page. */
export function PortalAccess() {
  const navigate = useNavigate()
  return <PortalAccessCard onEnter={() => void navigate('/portal?anonymous=true')} />
}

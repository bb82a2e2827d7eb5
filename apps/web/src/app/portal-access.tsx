import { Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { PortalAccessCard } from '#/features/portals/pairing/portal-access-card.tsx'
import { type PortalIntent, usePortalEntry } from '#/features/portals/portal-entry.ts'

const PortalDrop = lazyPart(async () => (await import('#/features/portals/portal-drop.tsx')).PortalDrop, {
  notice: 'none',
})

/** Portal access on the landing page. Files that are dropped there are sent through a new portal. */
export function PortalAccess() {
  const navigate = useNavigate()
  const { setIntent } = usePortalEntry()
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const start = () => setDragged(true)
    addEventListener('dragenter', start, { once: true })
    return () => removeEventListener('dragenter', start)
  }, [])

  function enter(intent: PortalIntent) {
    setIntent(intent)
    void navigate('/portal?anonymous=true')
  }

  return (
    <>
      <PortalAccessCard onEnter={enter} />
      {isDragged ? (
        <Suspense>
          <PortalDrop onEnter={enter} />
        </Suspense>
      ) : null}
    </>
  )
}

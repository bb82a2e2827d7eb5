import { useEffect } from 'react'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { sessionWords } from '#/words/sessions.ts'
import { SessionMenu } from './session-menu.tsx'
import { SessionView } from './session-view.tsx'
import { RoomProvider, useSessions, useWhereabouts } from './sessions-context.ts'
import { useRejoin } from './use-rejoin.ts'

/** The ways into a session, or the session that this page is in. */
export function SessionsPage() {
  const { restore } = useSessions()
  const whereabouts = useWhereabouts()
  useTitle(`${sessionWords.area} · ${productName}`)
  useRejoin()
  useEffect(() => void restore(), [restore])

  switch (whereabouts.phase) {
    case 'outside':
      return <SessionMenu />
    case 'restoring':
      return <Restoring />
    case 'inside':
      return (
        <RoomProvider value={whereabouts.room}>
          <SessionView key={whereabouts.room.id} />
        </RoomProvider>
      )
  }
}

function Restoring() {
  return (
    <div role="status" aria-label={sessionWords.restoring} className="mx-auto grid max-w-page gap-5 px-4 py-7 md:px-6">
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}

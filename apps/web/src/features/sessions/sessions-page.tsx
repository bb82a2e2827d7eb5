import { useEffect } from 'react'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { productName } from '#/strings/product.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { useRejoin } from './joining/use-rejoin.ts'
import { SessionMenu } from './session-menu.tsx'
import { SessionView } from './session-view.tsx'
import { CurrentSessionProvider, useSessionState, useSessions } from './sessions-context.ts'

/** The session that this page is in, or otherwise the menu to create or join one. */
export function SessionsPage() {
  const { restore } = useSessions()
  const state = useSessionState()
  useTitle(`${sessionStrings.area} · ${productName}`)
  useRejoin()
  useEffect(() => void restore(), [restore])

  switch (state.phase) {
    case 'outside':
      return <SessionMenu />
    case 'restoring':
      return <Restoring />
    case 'inside':
      return (
        <CurrentSessionProvider value={state.session}>
          <SessionView key={state.session.id} />
        </CurrentSessionProvider>
      )
  }
}

function Restoring() {
  return (
    <div
      role="status"
      aria-label={sessionStrings.rejoining}
      className="mx-auto grid max-w-page gap-5 px-4 py-7 md:px-6"
    >
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}

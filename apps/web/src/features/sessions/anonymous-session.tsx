import { type ReactNode, useEffect } from 'react'
import { Brand } from '#/components/brand/logo.tsx'
import { Badge } from '#/components/ui/badge.tsx'
import { Bar } from '#/components/ui/bar.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { UiProvider } from '#/components/ui/ui-provider.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { productName } from '#/strings/product.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { CurrentSession } from './room/current-session.ts'
import { SessionAlerts } from './session-alerts.tsx'
import { SessionView } from './session-view.tsx'
import { CurrentSessionProvider } from './sessions-context.ts'

interface AnonymousSessionProps {
  readonly session: CurrentSession
  /** Shown above the session. */
  readonly banner: ReactNode
}

/** The session page for visitors without an account, without the rest of the app. */
export function AnonymousSession({ session, banner }: AnonymousSessionProps) {
  // A person without the key of a private session is not connected to anyone in it.
  const isUnlocked = useObservable(session.unlocked) !== null
  useTitle(`${isUnlocked ? sessionStrings.connected : sessionStrings.lockedTitle} · ${productName}`)

  useEffect(() => {
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [])

  return (
    <UiProvider>
      <Bar>
        <Brand />
        {isUnlocked ? <Badge tone="seal">{sessionStrings.connected}</Badge> : null}
      </Bar>
      {banner}
      <SessionAlerts onShow={null} />
      <main id="main" tabIndex={-1} className="outline-none">
        <CurrentSessionProvider value={session}>
          <SessionView key={session.id} />
        </CurrentSessionProvider>
      </main>
    </UiProvider>
  )
}

import { useEffect } from 'react'
import { Brand } from '#/motifs/mark.tsx'
import { Badge } from '#/ui/badge.tsx'
import { Bar } from '#/ui/bar.tsx'
import { UiProvider } from '#/ui/ui-provider.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { sessionWords } from '#/words/sessions.ts'
import type { Room } from './room.ts'
import { SessionView } from './session-view.tsx'
import { RoomProvider } from './sessions-context.ts'

/** A session for somebody without an account: nothing else of the product is there. */
export function AnonymousSession({ room }: { readonly room: Room }) {
  useTitle(`${sessionWords.connected} · ${productName}`)

  useEffect(() => {
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [])

  return (
    <UiProvider>
      <Bar>
        <Brand />
        <Badge tone="seal">{sessionWords.connected}</Badge>
      </Bar>
      <main id="main" tabIndex={-1} className="outline-none">
        <RoomProvider value={room}>
          <SessionView key={room.id} />
        </RoomProvider>
      </main>
    </UiProvider>
  )
}

import { useEffect } from 'react'
import { Brand } from '#/motifs/mark.tsx'
import { Badge } from '#/ui/badge.tsx'
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
      <header className="sticky top-0 z-20 border-b border-line bg-surface">
        <div className="flex h-14 items-center justify-between gap-4 px-4 md:px-6">
          <Brand />
          <Badge tone="seal">{sessionWords.connected}</Badge>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="outline-none">
        <RoomProvider value={room}>
          <SessionView key={room.id} />
        </RoomProvider>
      </main>
    </UiProvider>
  )
}

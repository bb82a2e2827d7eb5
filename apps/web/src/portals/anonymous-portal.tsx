import { Brand } from '#/motifs/mark.tsx'
import { Badge } from '#/ui/badge.tsx'
import { Bar } from '#/ui/bar.tsx'
import { portalWords } from '#/words/portal.ts'
import type { LastWord } from './kept-portal.ts'
import { usePortalState } from './portal-context.ts'
import { PortalPage } from './portal-page.tsx'

/** The portal for somebody without an account; afterwards they are back where one signs in. */
export function AnonymousPortal({ onLeft }: { readonly onLeft: (word: LastWord | null) => void }) {
  const { isConnected } = usePortalState()
  return (
    <>
      <Bar>
        <button
          type="button"
          className="inline-flex rounded-segment"
          aria-label="Sallyport, sign in"
          onClick={() => onLeft(null)}
        >
          <Brand />
        </button>
        {isConnected ? <Badge tone="seal">{portalWords.anonymousHeader}</Badge> : null}
      </Bar>
      <main id="main" tabIndex={-1} className="outline-none">
        <PortalPage isAnonymous onLeft={onLeft} />
      </main>
    </>
  )
}

import { Brand } from '#/components/brand/logo.tsx'
import { Badge } from '#/components/ui/badge.tsx'
import { Bar } from '#/components/ui/bar.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { productName } from '#/strings/product.ts'
import { shellStrings } from '#/strings/shell.ts'
import { usePortalState } from './portal-context.ts'
import type { PortalEnding } from './portal-entry.ts'
import { PortalPage } from './portal-page.tsx'

/** The portal page for visitors without an account. Leaving it returns to the sign-in page. */
export function AnonymousPortal({ onEnded }: { readonly onEnded: (ending: PortalEnding | null) => void }) {
  const { isConnected } = usePortalState()
  return (
    <>
      <Bar>
        <button
          type="button"
          className="inline-flex rounded-segment"
          aria-label={shellStrings.logoToSignIn(productName)}
          onClick={() => onEnded(null)}
        >
          <Brand />
        </button>
        {isConnected ? <Badge tone="seal">{portalScreenStrings.anonymousHeader}</Badge> : null}
      </Bar>
      <main id="main" tabIndex={-1} className="outline-none">
        <PortalPage isAnonymous onEnded={onEnded} />
      </main>
    </>
  )
}

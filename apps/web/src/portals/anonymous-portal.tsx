import { Brand } from '#/motifs/mark.tsx'
import { PortalPage } from './portal-page.tsx'

/** The portal for somebody without an account; afterwards they are back where one signs in. */
export function AnonymousPortal({ onLeft }: { readonly onLeft: () => void }) {
  return (
    <>
      <header className="flex h-14 items-center border-b border-line bg-surface px-4 md:px-6">
        <button type="button" className="rounded-segment" aria-label="Sallyport, sign in" onClick={onLeft}>
          <Brand />
        </button>
      </header>
      <main id="main" tabIndex={-1} className="outline-none">
        <PortalPage isAnonymous onLeft={onLeft} />
      </main>
    </>
  )
}

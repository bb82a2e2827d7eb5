import { Banner } from '#/components/ui/banner.tsx'
import { shellStrings } from '#/strings/shell.ts'
import { EmptyBar } from './empty-bar.tsx'

/** Shown while nothing is known about the stored sign-in, because the server cannot be reached. */
export function ServerAwayScreen() {
  return (
    <>
      <EmptyBar />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-page px-4 pt-4 outline-none md:px-6">
        <Banner tone="brass">{shellStrings.waitingToRestore}</Banner>
      </main>
    </>
  )
}

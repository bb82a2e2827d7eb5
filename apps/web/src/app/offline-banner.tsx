import { Banner } from '#/ui/banner.tsx'
import { shellWords } from '#/words/shell.ts'
import { useOnline } from './use-online.ts'

/** Says that the network is away. The region is there from the start, so that screen readers notice the change. */
export function OfflineBanner() {
  const isOnline = useOnline()
  return (
    <div role="status" className="mx-auto w-full max-w-page px-4 empty:hidden md:px-6">
      {isOnline ? null : (
        <Banner tone="brass" className="mt-4">
          {shellWords.offline}
        </Banner>
      )}
    </div>
  )
}

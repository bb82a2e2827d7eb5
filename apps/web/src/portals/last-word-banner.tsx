import { useEffect } from 'react'
import { Banner } from '#/ui/banner.tsx'
import { lastWord } from './kept-portal.ts'

/** Tells a visitor why their portal is no more, until they have read it or gone on to something else. */
export function LastWordBanner({ reason }: { readonly reason: string }) {
  useEffect(() => forget, [])
  return (
    <div className="mx-auto w-full max-w-page px-5 pb-2 md:px-12">
      <Banner tone="rust" urgent onDismiss={forget}>
        {reason}
      </Banner>
    </div>
  )
}

const forget = (): void => lastWord.set(null)

import { useEffect } from 'react'
import { Banner } from '#/ui/banner.tsx'
import { type LastWord, lastWord } from './kept-portal.ts'

/** Tells a visitor why their portal is no more, until they have read it or gone on to something else. */
export function LastWordBanner({ word }: { readonly word: LastWord }) {
  useEffect(() => forget, [])
  return (
    <div className="mx-auto w-full max-w-page px-5 pb-2 md:px-12">
      <Banner tone={word.isFailure ? 'rust' : 'neutral'} urgent={word.isFailure} onDismiss={forget}>
        {word.text}
      </Banner>
    </div>
  )
}

const forget = (): void => lastWord.set(null)

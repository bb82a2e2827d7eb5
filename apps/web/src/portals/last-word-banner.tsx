import { classicPortalLimits } from '@sallyport/contract/limits'
import { useEffect } from 'react'
import { Banner } from '#/ui/banner.tsx'
import { lastWord } from './kept-portal.ts'

/** Tells a visitor, where they find themselves without their portal, why it is no more. */
export function LastWordBanner({ reason }: { readonly reason: string }) {
  useEffect(() => {
    const timer = setTimeout(forget, classicPortalLimits.errorShownMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="mx-auto w-full max-w-page px-5 pb-2 md:px-12">
      <Banner tone="rust" urgent onDismiss={forget}>
        {reason}
      </Banner>
    </div>
  )
}

const forget = (): void => lastWord.set(null)

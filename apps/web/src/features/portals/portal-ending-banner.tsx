import { useEffect } from 'react'
import { Banner } from '#/components/ui/banner.tsx'
import { type PortalEnding, usePortalEntry } from './portal-entry.ts'

/** Tells a visitor why their portal has ended, until they dismiss it or open something else. */
export function PortalEndingBanner({ text, isFailure }: PortalEnding) {
  const { dismissEnding } = usePortalEntry()
  useEffect(() => dismissEnding, [dismissEnding])
  return (
    <div className="mx-auto w-full max-w-page px-5 pb-2 md:px-12">
      <Banner tone={isFailure ? 'rust' : 'neutral'} urgent={isFailure} onDismiss={dismissEnding}>
        {text}
      </Banner>
    </div>
  )
}

import { Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { mayBeResumable } from './interrupted-until.ts'

const InterruptedBanner = lazyPart(async () => (await import('./interrupted-banner.tsx')).InterruptedBanner, {
  notice: 'none',
})

/** Leads back to an interrupted portal. Its code is loaded only where there may be one. */
export const InterruptedPortal = ({ onResume }: { readonly onResume: () => void }) =>
  mayBeResumable() ? (
    <Suspense>
      <InterruptedBanner onResume={onResume} />
    </Suspense>
  ) : null

import { Suspense } from 'react'
import { lazyPart } from '#/lib/lazy-part.ts'
import { mayBeResumable } from './interrupted-until.ts'

const InterruptedBanner = lazyPart(async () => (await import('./interrupted-banner.tsx')).InterruptedBanner)

/** Leads back to an interrupted portal. Its code is loaded only where there may be one. */
export const InterruptedPortal = ({ onResume }: { readonly onResume: () => void }) =>
  mayBeResumable() ? (
    <Suspense>
      <InterruptedBanner onResume={onResume} />
    </Suspense>
  ) : null

import type { Observable } from '@sallyport/client/observable'
import { useEffect, useRef } from 'react'
import { Banner } from '#/components/ui/banner.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { shellStrings } from '#/strings/shell.ts'

interface OfflineBannerProps {
  /** True while the server is reachable. */
  readonly connectivity: Observable<boolean>
}

/**
 * Shows that the network or the server is away. The live region is always mounted, so that screen readers announce the
 * change.
 */
export function OfflineBanner({ connectivity }: OfflineBannerProps) {
  const isOnline = useObservable(connectivity)
  const wasOnline = useRef(isOnline)
  const toast = useToast()

  useEffect(() => {
    if (isOnline && !wasOnline.current) toast(shellStrings.backOnline)
    wasOnline.current = isOnline
  }, [isOnline, toast])

  return (
    <div role="status" className="mx-auto w-full max-w-page px-4 empty:hidden md:px-6">
      {isOnline ? null : (
        <Banner tone="brass" className="mt-4">
          {navigator.onLine ? shellStrings.serverAway : shellStrings.offline}
        </Banner>
      )}
    </div>
  )
}

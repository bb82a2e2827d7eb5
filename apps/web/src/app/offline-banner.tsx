import type { Observable } from '@sallyport/client/observable'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Banner } from '#/ui/banner.tsx'
import { useToast } from '#/ui/toast.tsx'
import { shellWords } from '#/words/shell.ts'

interface OfflineBannerProps {
  /** True while the server can be reached. */
  readonly line: Observable<boolean>
}

/** Says that the network is away. The region is there from the start, so that screen readers notice the change. */
export function OfflineBanner({ line }: OfflineBannerProps) {
  const isOnline = useSyncExternalStore(line.subscribe, line.current)
  const wasOnline = useRef(isOnline)
  const toast = useToast()

  useEffect(() => {
    if (isOnline && !wasOnline.current) toast(shellWords.backOnline)
    wasOnline.current = isOnline
  }, [isOnline, toast])

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

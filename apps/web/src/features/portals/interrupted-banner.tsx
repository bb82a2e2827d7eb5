import { askServer, serverClock } from '@sallyport/browser/server-clock'
import { ignore } from '@sallyport/contract/ignore'
import { useEffect, useState } from 'react'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { usePortalEntry } from './portal-entry.ts'
import { claimedIds } from './portal-journal.ts'
import { readAll, slotRetentionMs, transferRetentionMs } from './portal-store.ts'

interface InterruptedBannerProps {
  readonly onResume: () => void
}

/** Leads to an interrupted portal or transfer from the screens that do not show it, unless a portal is open. */
export function InterruptedBanner({ onResume }: InterruptedBannerProps) {
  const portal = useObservable(usePortalEntry().current)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    hasInterrupted().then(setShown, (error) => ignore(error, 'there is no readable database'))
  }, [])
  if (!isShown || portal) return null
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-4 md:px-6">
      <Banner
        tone="brass"
        actions={
          <Button size="compact" onClick={onResume}>
            {portalScreenStrings.resume}
          </Button>
        }
        onDismiss={() => setShown(false)}
      >
        {portalScreenStrings.interruptedElsewhere}
      </Banner>
    </div>
  )
}

/** Whether a portal or transfer can be resumed that no open page uses. */
async function hasInterrupted(): Promise<boolean> {
  const [{ places, progress }, claimed] = [await readAll(), await claimedIds()]
  if (!serverClock.isKnown()) await askServer()
  const now = serverClock.now()
  return (
    places.some(({ id, at }) => !claimed.has(id) && now - at <= slotRetentionMs) ||
    progress.some(({ tid, at }) => !claimed.has(tid) && now - at <= transferRetentionMs)
  )
}

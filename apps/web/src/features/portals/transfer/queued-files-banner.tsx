import type { PortalState } from '@sallyport/client/portal/portal-state'
import { formatBytes } from '@sallyport/contract/formats'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { usePortalContext } from '../portal-context.ts'

interface QueuedFilesBannerProps {
  readonly state: PortalState
  readonly onSend: () => void
}

/** Shows the files that wait for the other device. */
export function QueuedFilesBanner({ state: { isConnected }, onSend }: QueuedFilesBannerProps) {
  const { queuedFiles } = usePortalContext()
  const files = useObservable(queuedFiles)
  const [first] = files
  if (!first) return null
  const size = formatBytes(files.reduce((sum, file) => sum + file.size, 0))
  const subject = files.length === 1 ? visibleFileName(first.name) : portalScreenStrings.fileSummary(files.length, size)
  return (
    <Banner
      actions={
        <>
          {isConnected ? (
            <Button size="compact" variant="primary" onClick={onSend}>
              {portalScreenStrings.sendQueued}
            </Button>
          ) : null}
          <Button size="compact" variant="quiet" onClick={queuedFiles.clear}>
            {portalScreenStrings.removeQueued}
          </Button>
        </>
      }
    >
      {isConnected ? portalScreenStrings.notSent(subject) : portalScreenStrings.queued(subject)}
    </Banner>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useNow } from '#/lib/use-now.ts'
import { controlStrings } from '#/strings/controls.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { describeShare } from '#/strings/errors/share-errors.ts'
import { fileStrings } from '#/strings/files.ts'
import { shareLinkStrings } from '#/strings/share-links.ts'
import { useFilesContext } from '../files-context.ts'
import { LifetimeMenu } from '../lifetime-menu.tsx'
import type { StoredFile } from '../stored-files.ts'
import { shareQuery, useStopSharing } from './share.queries.ts'
import { ShareLinkSection } from './share-link-section.tsx'
import { ShareOptionsSection } from './share-options-section.tsx'

const expiryEveryMs = 1000

interface ShareSheetProps {
  readonly file: StoredFile
  readonly onClose: () => void
}

/** The link to a file with its options, and a button to stop sharing. */
export function ShareSheet({ file, onClose }: ShareSheetProps) {
  const toast = useToast()
  const [isConfirming, setConfirming] = useState(false)
  const { data: share, error, refetch } = useQuery(shareQuery(useFilesContext(), file))
  const stopSharing = useStopSharing(file.id)

  useRefreshCounts(file, () => void refetch())
  useSharingStopped(file, onClose)

  async function stop() {
    setConfirming(false)
    try {
      await stopSharing.mutateAsync()
      toast(shareLinkStrings.stopped)
      onClose()
    } catch (reason) {
      toast({ text: messageFor(reason, shareLinkStrings.stopFailed, describeShare), tone: 'rust', urgent: true })
    }
  }

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={shareLinkStrings.title}
      description={<bdi className="wrap-anywhere">{visibleFileName(file.name)}</bdi>}
      actions={
        <>
          <Button variant="danger-outline" disabled={!share} className="md:me-auto" onClick={() => setConfirming(true)}>
            {shareLinkStrings.stop}
          </Button>
          <Button onClick={onClose}>{shareLinkStrings.done}</Button>
        </>
      }
    >
      <p role="status" className={share || error ? 'sr-only' : 'text-sm text-ink-2'}>
        {share ? fileStrings.linkReady : error ? null : fileStrings.generatingLink}
      </p>
      {error && !share ? (
        <Banner
          tone="rust"
          actions={
            <Button size="compact" onClick={() => void refetch()}>
              {controlStrings.retry}
            </Button>
          }
        >
          {messageFor(error, shareLinkStrings.changeFailed, describeShare)}
        </Banner>
      ) : null}
      {share ? (
        <div className="grid gap-5">
          <ShareLinkSection fileName={file.name} link={share.link} />
          <LinkExpiry file={file} />
          <ShareOptionsSection file={file} share={share} />
        </div>
      ) : null}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={shareLinkStrings.stopTitle}
        description={shareLinkStrings.stopQuestion}
        confirmLabel={shareLinkStrings.stop}
        onConfirm={() => void stop()}
      />
    </Dialog>
  )
}

/** Until when the link works, which can be changed here. */
function LinkExpiry({ file }: Pick<ShareSheetProps, 'file'>) {
  const now = useNow(expiryEveryMs)
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
      {shareLinkStrings.expiry}
      <LifetimeMenu file={file} now={now} />
    </p>
  )
}

/** Refreshes the counts of a link after each further download. */
function useRefreshCounts({ downloads, isShared }: StoredFile, refresh: () => void): void {
  const lastDownloads = useRef(downloads)
  useEffect(() => {
    if (lastDownloads.current === downloads) return
    lastDownloads.current = downloads
    if (isShared) refresh()
  })
}

/**
 * Closes the sheet when sharing was stopped on another device, because showing the sheet would create the link again.
 */
function useSharingStopped({ isShared }: StoredFile, onEnd: () => void): void {
  const wasShared = useRef(isShared)
  useEffect(() => {
    if (wasShared.current && !isShared) onEnd()
    wasShared.current = isShared
  })
}

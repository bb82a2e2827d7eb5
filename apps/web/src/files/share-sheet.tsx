import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { useToast } from '#/ui/toast.tsx'
import { fileWords } from '#/words/files.ts'
import { linkWords } from '#/words/links.ts'
import { useFileWork } from './files-context.ts'
import { shareQuery, useStopSharing } from './share.queries.ts'
import { ShareLinkPart } from './share-link-part.tsx'
import { ShareOptionsPart } from './share-options-part.tsx'
import type { StoredFile } from './stored-files.ts'

interface ShareSheetProps {
  readonly file: StoredFile
  readonly onClose: () => void
}

/** The link to a file, the ways to hand it over, what it allows, and its end. */
export function ShareSheet({ file, onClose }: ShareSheetProps) {
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const { data: share, error, refetch } = useQuery(shareQuery(useFileWork(), file))
  const stopping = useStopSharing(file.id)

  useFreshCounts(file, () => void refetch())
  useEndElsewhere(file, onClose)

  async function stop() {
    setAsking(false)
    try {
      await stopping.mutateAsync()
      toast(linkWords.stopped)
      onClose()
    } catch (reason) {
      toast({ text: speak(reason, linkWords.stopFailed), tone: 'rust', urgent: true })
    }
  }

  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={linkWords.title}
      description={<bdi className="wrap-anywhere">{file.name}</bdi>}
      actions={
        <>
          <Button variant="danger-outline" disabled={!share} className="md:me-auto" onClick={() => setAsking(true)}>
            {linkWords.stop}
          </Button>
          <Button onClick={onClose}>{linkWords.done}</Button>
        </>
      }
    >
      <p role="status" className={share || error ? 'sr-only' : 'text-sm text-ink-2'}>
        {share ? fileWords.linkReady : error ? null : fileWords.generatingLink}
      </p>
      {error && !share ? (
        <Banner
          tone="rust"
          actions={
            <Button size="compact" onClick={() => void refetch()}>
              {fileWords.retry}
            </Button>
          }
        >
          {speak(error, linkWords.changeFailed)}
        </Banner>
      ) : null}
      {share ? (
        <div className="grid gap-5">
          <ShareLinkPart fileName={file.name} link={share.link} />
          <ShareOptionsPart file={file} share={share} />
        </div>
      ) : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={linkWords.stopTitle}
        description={linkWords.stopQuestion}
        confirmLabel={linkWords.stop}
        onConfirm={() => void stop()}
      />
    </Dialog>
  )
}

/** Asks again for the counts of a link when the file was taken once more. */
function useFreshCounts({ downloads, isShared }: StoredFile, refresh: () => void): void {
  const known = useRef(downloads)
  useEffect(() => {
    if (known.current === downloads) return
    known.current = downloads
    if (isShared) refresh()
  })
}

/** A link that is ended on another device is not made again by looking at it here. */
function useEndElsewhere({ isShared }: StoredFile, onEnd: () => void): void {
  const wasShared = useRef(isShared)
  useEffect(() => {
    if (wasShared.current && !isShared) onEnd()
    wasShared.current = isShared
  })
}

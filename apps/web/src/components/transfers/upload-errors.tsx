import type { JobList } from '@sallyport/transfers/engine/job-list'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { controlStrings } from '#/strings/controls.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { describeUpload } from '#/strings/errors/upload-errors.ts'
import { fileStrings } from '#/strings/files.ts'
import { transferListStrings } from '#/strings/lists/transfer-list.ts'
import { transferStrings } from '#/strings/transfers.ts'

interface UploadErrorsProps {
  readonly uploads: JobList
  /** Shown for an error that there is no sentence for. */
  readonly fallbackReason?: string
}

/** More banners would push everything else off the screen; the others are counted. */
const maxBanners = 3

/** Shows failed uploads until they are retried or dismissed. */
export function UploadErrors({ uploads, fallbackReason = transferStrings.unexpected }: UploadErrorsProps) {
  const jobs = useObservable(uploads)
  const failed = jobs.filter(({ state }) => state.status === 'failed')
  const others = failed.slice(maxBanners)

  function dismissOthers() {
    for (const { id } of others) uploads.dismiss(id)
  }

  return (
    <>
      {failed.slice(0, maxBanners).map(({ id, fileName, state }) => (
        <Banner
          key={id}
          tone="rust"
          urgent
          actions={
            <Button size="compact" onClick={() => uploads.retry(id)}>
              {controlStrings.retry}
            </Button>
          }
          onDismiss={() => uploads.dismiss(id)}
        >
          {fileStrings.uploadFailed(
            visibleFileName(fileName),
            messageFor('error' in state ? state.error : undefined, fallbackReason, describeUpload),
          )}
        </Banner>
      ))}
      {others.length > 0 ? (
        <Banner tone="rust" onDismiss={dismissOthers}>
          {transferListStrings.moreFailed(others.length)}
        </Banner>
      ) : null}
    </>
  )
}

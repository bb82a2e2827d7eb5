import { formatBytes } from '@sallyport/contract/formats'
import type { InterruptedUpload } from '@sallyport/transfers/browser/uploads/check-resumable'
import type { InterruptedUploads } from '@sallyport/transfers/browser/uploads/interrupted-uploads'
import { useState, useSyncExternalStore } from 'react'
import { ListEnd } from '#/components/files/row-window.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Card } from '#/components/ui/card.tsx'
import { interruptedUploadStrings } from '#/strings/interrupted-uploads.ts'
import { InterruptedUploadRow } from './interrupted-upload-row.tsx'
import { InterruptedUploadsHeader } from './interrupted-uploads-header.tsx'

const initialCount = 4
const moreCount = 50

interface InterruptedUploadsCardProps {
  readonly interrupted: InterruptedUploads
}

/** Interrupted uploads of earlier visits, to be resumed or discarded. */
export function InterruptedUploadsCard({ interrupted }: InterruptedUploadsCardProps) {
  const uploads = useSyncExternalStore(interrupted.subscribe, interrupted.current)
  const isStorageFull = useSyncExternalStore(interrupted.isStorageFull.subscribe, interrupted.isStorageFull.current)
  return (
    <>
      {isStorageFull ? <Banner tone="brass">{interruptedUploadStrings.noSpace}</Banner> : null}
      {uploads.length > 0 ? (
        <Card aria-label={interruptedUploadStrings.uploads} padded={false}>
          {uploads.length > 1 ? <InterruptedUploadsHeader interrupted={interrupted} uploads={uploads} /> : null}
          <Rows interrupted={interrupted} uploads={uploads} />
        </Card>
      ) : null}
    </>
  )
}

interface RowsProps extends InterruptedUploadsCardProps {
  readonly uploads: readonly InterruptedUpload[]
}

function Rows({ interrupted, uploads }: RowsProps) {
  const [shownCount, setShownCount] = useState(initialCount)
  // A summary of a single row would save no space.
  const shown = uploads.length > shownCount + 1 ? uploads.slice(0, shownCount) : uploads
  const hidden = uploads.slice(shown.length)
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((upload) => (
          <li key={upload.id} className="pad-card">
            <InterruptedUploadRow interrupted={interrupted} upload={upload} />
          </li>
        ))}
      </ul>
      {hidden.length > 0 ? (
        <ListEnd
          text={interruptedUploadStrings.more(
            hidden.length,
            formatBytes(hidden.reduce((sum, { size }) => sum + size, 0)),
          )}
          action={interruptedUploadStrings.showMore}
          onAction={() => setShownCount(shownCount + moreCount)}
        />
      ) : null}
    </>
  )
}

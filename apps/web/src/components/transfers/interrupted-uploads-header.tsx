import { formatBytes } from '@sallyport/contract/formats'
import { foldersOf } from '@sallyport/crypto'
import type { InterruptedUpload } from '@sallyport/transfers/browser/uploads/check-resumable'
import type { InterruptedUploads } from '@sallyport/transfers/browser/uploads/interrupted-uploads'
import { useState } from 'react'
import { canPickFolders, pickFiles, pickFolder } from '#/components/file-input/pick-files.ts'
import { Button } from '#/components/ui/button.tsx'
import { interruptedUploadStrings } from '#/strings/interrupted-uploads.ts'

interface InterruptedUploadsHeaderProps {
  readonly interrupted: InterruptedUploads
  readonly uploads: readonly InterruptedUpload[]
}

/** The actions for several interrupted uploads at once. */
export function InterruptedUploadsHeader({ interrupted, uploads }: InterruptedUploadsHeaderProps) {
  const [hasNoMatch, setNoMatch] = useState(false)
  const available = uploads.filter(({ source, error }) => source === 'at-hand' && error === null)
  const needingFile = uploads.filter(({ source, error }) => source === 'chosen' || error !== null)
  const fromFolders = needingFile.filter(({ name }) => foldersOf(name) !== '')
  const size = formatBytes(uploads.reduce((sum, upload) => sum + upload.size, 0))

  async function choose(pick: () => Promise<readonly File[]>) {
    const files = await pick()
    if (files.length > 0) setNoMatch((await interrupted.resumeMatching(files)).length === files.length)
  }

  return (
    <div className="grid gap-2 border-b border-line px-[var(--card-padding)] py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-semibold">{interruptedUploadStrings.count(uploads.length, size)}</p>
        <div className="flex flex-wrap gap-2">
          {available.length > 0 ? (
            <Button size="compact" onClick={() => void interrupted.resume(available.map(({ id }) => id))}>
              {interruptedUploadStrings.resumeAll}
            </Button>
          ) : null}
          {needingFile.length > 0 ? (
            <Button size="compact" onClick={() => void choose(() => pickFiles({ multiple: true }))}>
              {interruptedUploadStrings.chooseFiles}
            </Button>
          ) : null}
          {fromFolders.length > 0 && canPickFolders() ? (
            <Button size="compact" onClick={() => void choose(pickFolder)}>
              {interruptedUploadStrings.chooseFolder}
            </Button>
          ) : null}
          <Button variant="quiet" size="compact" onClick={() => void interrupted.discard(uploads.map(({ id }) => id))}>
            {interruptedUploadStrings.discardAll}
          </Button>
        </div>
      </div>
      {hasNoMatch ? (
        <p role="alert" className="text-sm text-rust">
          {interruptedUploadStrings.noneMatches}
        </p>
      ) : null}
    </div>
  )
}

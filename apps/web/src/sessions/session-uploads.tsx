import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { UploadTroubles } from '#/transfer-views/upload-troubles.tsx'
import { UploadsUnderWay } from '#/transfer-views/uploads-under-way.tsx'
import { sessionWords } from '#/words/sessions.ts'

/** Files on their way into the session. */
export function SessionUploads({ uploads }: { readonly uploads: UploadQueue }) {
  return (
    <div className="grid gap-5 empty:hidden">
      <UploadTroubles uploads={uploads} unnamedReason={sessionWords.uploadFailed} />
      <UploadsUnderWay uploads={uploads} />
    </div>
  )
}

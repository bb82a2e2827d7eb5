import { UnfinishedCard } from '#/transfer-views/unfinished-card.tsx'
import { UploadTroubles } from '#/transfer-views/upload-troubles.tsx'
import { UploadsUnderWay } from '#/transfer-views/uploads-under-way.tsx'
import { sessionWords } from '#/words/sessions.ts'
import type { OpenRoom } from './room.ts'

/** Files on their way into the session. */
export function SessionUploads({ uploads, unfinished }: Pick<OpenRoom, 'uploads' | 'unfinished'>) {
  return (
    <div className="grid gap-5 empty:hidden">
      <UploadTroubles uploads={uploads} unnamedReason={sessionWords.uploadFailed} />
      <UploadsUnderWay uploads={uploads} />
      <UnfinishedCard unfinished={unfinished} />
    </div>
  )
}

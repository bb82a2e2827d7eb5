import { ClientError } from '@sallyport/client/errors'
import type { JobState, TransferJob, TransferKind } from '@sallyport/transfers/engine/job'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { useState } from 'react'
import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { usePastedFiles } from '#/components/file-input/use-pasted-files.ts'
import { DeleteDialog } from '#/components/files/delete-dialog.tsx'
import { PageDropOverlay } from '#/components/transfers/page-drop-overlay.tsx'
import { TransferList } from '#/components/transfers/transfer-list.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { FileListCard } from '#/features/files/file-list-card.tsx'
import type { StoredFile } from '#/features/files/stored-files.ts'
import { AccountDropZone } from '#/features/files/transfers/account-drop-zone.tsx'

const now = Date.now()
const mebibyte = 1024 * 1024

function minutesFromNow(minutes: number): number {
  return now + minutes * 60_000 + 30_000
}

const files: readonly StoredFile[] = [
  {
    id: '1',
    encryptedFileKey: '1',
    name: 'quarterly-report-final.pdf',
    sizeBytes: 2.41 * mebibyte,
    expiresAt: minutesFromNow(252),
    isShared: false,
    downloads: 0,
  },
  {
    id: '2',
    encryptedFileKey: '2',
    name: 'facade-elevation-north-v7-approved-client-comments.png',
    sizeBytes: 18.02 * mebibyte,
    expiresAt: minutesFromNow(38),
    isShared: true,
    downloads: 0,
  },
  {
    id: '3',
    encryptedFileKey: '3',
    name: 'walkthrough.mp4',
    sizeBytes: 1.28 * 1024 * mebibyte,
    expiresAt: minutesFromNow(362),
    isShared: false,
    downloads: 0,
  },
  {
    id: '4',
    encryptedFileKey: '4',
    name: 'survey-raw.zip',
    sizeBytes: 412.9 * mebibyte,
    expiresAt: minutesFromNow(4),
    isShared: false,
    downloads: 0,
  },
]

function job(id: string, fileName: string, state: JobState, kind: TransferKind = 'upload'): TransferJob {
  return { id, kind, fileName, sizeBytes: 691.77 * mebibyte, state }
}

const transferring = {
  status: 'transferring',
  encryptedBytes: 512 * mebibyte,
  deliveredBytes: 318.2 * mebibyte,
  bytesPerSecond: 12.4 * mebibyte,
} as const

const jobs: Record<string, readonly TransferJob[]> = {
  moving: [job('a', 'site-photos-harbour.zip', transferring)],
  all: [
    job('a', 'site-photos-harbour.zip', transferring),
    job('b', 'IMG_2051.mov', { ...transferring, encryptedBytes: 691.77 * mebibyte, deliveredBytes: 491 * mebibyte }),
    job('c', 'lease.pdf', { status: 'waiting' }),
    job('d', 'done.pdf', { status: 'done' }),
    job('e', 'cancelled.pdf', { status: 'cancelled' }),
    job(
      'f',
      'a-very-long-name-that-goes-on-and-on-and-on-until-it-has-to-be-cut-somewhere-in-the-middle-of-it-all.tar.gz',
      { status: 'failed', error: new ClientError('UPLOAD_CHUNK_FAILED', { index: 12 }) },
    ),
    job('g', 'paused.iso', { ...transferring, status: 'paused' }),
    job('h', 'walkthrough.mp4', { ...transferring }, 'download'),
  ],
}

const ignore = () => undefined

function listOf(current: readonly TransferJob[]): JobList {
  const commands = { cancel: ignore, retry: ignore, dismiss: ignore }
  return { current: () => current, subscribe: () => ignore, ...commands }
}

export function FilesView() {
  const query = new URLSearchParams(location.search)
  const [target, setTarget] = useState<{ readonly name: string } | 'all' | null>(null)
  const [minutes, setMinutes] = useState(5)
  const toast = useToast()
  const showNames = (picked: readonly File[]) => toast(`Took ${picked.map(({ name }) => name).join(', ')}`)
  const drag = useFileDrop({ onFiles: showNames, enabled: true })
  usePastedFiles({ onFiles: showNames, enabled: true })
  const isEmpty = query.has('empty')

  return (
    <>
      <main className="mx-auto grid max-w-[55rem] gap-4 px-4 py-4 md:gap-5 md:px-5 md:py-7">
        {query.has('error') ? (
          <Banner tone="rust" urgent actions={<Button size="compact">Retry</Button>} onDismiss={ignore}>
            Failed to upload site-photos-harbour.zip: Network error during upload
          </Banner>
        ) : null}
        <AccountDropZone
          onFiles={showNames}
          isOver={drag.isOver || query.has('over')}
          expiryMinutes={minutes}
          expiryOptions={[5, 15, 30, 60, 120, 720, 1440, 4320]}
          onExpiryChange={setMinutes}
        />
        {isEmpty ? null : <TransferList label="Uploads" list={listOf(jobs[query.get('uploads') ?? 'moving'] ?? [])} />}
        <FileListCard
          files={query.has('loading') ? undefined : isEmpty ? [] : files}
          now={now}
          actions={{
            onOpen: ignore,
            onDownload: ignore,
            onSave: ignore,
            onShare: ignore,
            onCopyLink: async () => true,
            onDelete: setTarget,
          }}
          onDownloadAll={ignore}
          onDeleteAll={() => setTarget('all')}
        />
      </main>
      <DeleteDialog target={target} onConfirm={() => setTarget(null)} onCancel={() => setTarget(null)} />
      <PageDropOverlay open={drag.isOver || query.has('overlay')} fileCount={drag.fileCount || 3} />
    </>
  )
}

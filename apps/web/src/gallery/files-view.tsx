import { ClientError } from '@sallyport/client/errors'
import type { JobState, TransferJob, TransferKind } from '@sallyport/transfers/engine/job'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { useState } from 'react'
import { Brand } from '#/components/brand/logo.tsx'
import { PrivacySummary } from '#/components/brand/privacy-summary.tsx'
import { StorageMeter } from '#/components/brand/storage-meter.tsx'
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
      <header className="flex h-14 items-center border-b border-line bg-surface px-4 md:px-6">
        <Brand />
      </header>
      <main className="mx-auto grid max-w-[74.5rem] items-start gap-4 px-4 py-4 md:gap-5 md:px-5 md:py-7 rail:grid-cols-[minmax(0,1fr)_18.25rem] rail:gap-x-7">
        <div className="grid gap-4 md:gap-5">
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
          {isEmpty ? null : (
            <TransferList label="Uploads" list={listOf(jobs[query.get('uploads') ?? 'moving'] ?? [])} />
          )}
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
        </div>
        <aside className="grid gap-4">
          <PrivacySummary
            intro="Only what it needs to store your files and delete them on time."
            rows={[
              { subject: 'Contents and names', visibility: 'encrypted' },
              { subject: 'Keys', visibility: 'neverSent' },
              { subject: 'Size, expiry', visibility: 'visible' },
            ]}
            ciphertext={['9f2c 41d8 77ae 03b1 c6e0', '5a1d 8b44 f7d2 1c96 b302', 'ee61 4f9d a058 cc31 07be']}
          />
          <StorageMeter usedBytes={1.7} totalBytes={50} text="1.70 GB of 50.00 GB" planName="Personal" />
        </aside>
      </main>
      <DeleteDialog target={target} onConfirm={() => setTarget(null)} onCancel={() => setTarget(null)} />
      <PageDropOverlay open={drag.isOver || query.has('overlay')} fileCount={drag.fileCount || 3} />
    </>
  )
}

import type { ListedFile } from '@sallyport/contract/files'
import { Suspense, useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { DeleteDialog } from '#/components/files/delete-dialog.tsx'
import { ManualCopyDialog } from '#/components/files/manual-copy-dialog.tsx'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { usePreload } from '#/components/parts/use-preload.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useTick } from '#/lib/use-tick.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { FileListCard } from './file-list-card.tsx'
import { useDeleteFiles } from './files.queries.ts'
import { useFilesContext } from './files-context.ts'
import { useSaveMedia } from './preview/use-save-media.ts'
import { useCopyLink } from './share/use-copy-link.ts'
import { clockStepMs, type FileRef, isSameFile, rowsOf, type StoredFile, sortByName } from './stored-files.ts'
import { useStableActions } from './use-stable-actions.ts'

const ShareSheet = lazyPart(async () => (await import('./share/share-sheet.tsx')).ShareSheet, { notice: 'floating' })
const MediaOverlay = lazyPart(async () => (await import('./preview/media-overlay.tsx')).MediaOverlay, {
  notice: 'floating',
})

const dialogs = [ShareSheet, MediaOverlay]

interface YourFilesProps {
  /** Undefined while the list is loading. */
  readonly listed: readonly ListedFile[] | undefined
}

/** The file list with its dialogs and previews. */
export function YourFiles({ listed }: YourFilesProps) {
  usePreload(dialogs)
  const { startDownload, archives } = useFilesContext()
  const { rows, now } = useFileRows(listed)
  const shownRows = useDeferredAdditions(rows)
  const toast = useToast()
  const [deleteTarget, setDeleteTarget] = useState<string | 'all' | null>(null)
  const [shownId, setShownId] = useState<string | null>(null)
  const [fileToShare, setFileToShare] = useState<FileRef | null>(null)
  const { copyLink, linkToCopy, clearLink } = useCopyLink()
  const saveMedia = useSaveMedia()
  const deleteFiles = useDeleteFiles()
  const list = useRef<HTMLDivElement>(null)
  const deletedIndex = useRef<number | null>(null)
  const actions = useStableActions({
    onOpen: ({ id }) => setShownId(id),
    onDownload: startDownload,
    onCopyLink: copyLink,
    onSave: (file) => void saveMedia(file),
    onShare: setFileToShare,
    onDelete: ({ id }) => setDeleteTarget(id),
  })

  function confirmDelete() {
    if (deleteTarget === null) return
    setDeleteTarget(null)
    deletedIndex.current = Math.max(0, rows?.findIndex(({ id }) => id === deleteTarget) ?? 0)
    deleteFiles.mutate(deleteTarget, {
      onSuccess: (count) => {
        if (deleteTarget === 'all') toast(fileStrings.deleted(count))
      },
      onError: (error) => toast({ text: messageFor(error, fileStrings.deleteFailed), tone: 'rust', urgent: true }),
    })
  }

  /** Moves the focus after a deletion to the row that takes the deleted row's place, or to the list. */
  function focusAfterDialog(): HTMLElement | boolean {
    const deletedAt = deletedIndex.current
    deletedIndex.current = null
    if (deletedAt === null) return true
    const remainingRows = [...(list.current?.querySelectorAll('li') ?? [])]
    const buttons = remainingRows[Math.min(deletedAt, remainingRows.length - 1)]?.querySelectorAll('button')
    return [...(buttons ?? [])].at(-1) ?? list.current ?? true
  }

  const sharedFile = fileToShare && rows?.find((file) => isSameFile(file, fileToShare))
  const sheet = sharedFile ? (
    <Suspense>
      <ShareSheet file={sharedFile} onClose={() => setFileToShare(null)} />
    </Suspense>
  ) : null

  return (
    <>
      <div ref={list} tabIndex={-1} className="rounded-card outline-none">
        <FileListCard
          files={shownRows}
          now={now}
          actions={actions}
          onDownloadAll={archives.start}
          onDeleteAll={() => setDeleteTarget('all')}
        />
      </div>
      <DeleteDialog
        target={deleteTarget === 'all' ? 'all' : (rows?.find(({ id }) => id === deleteTarget) ?? null)}
        onConfirm={confirmDelete}
        onCancel={() => setDeleteTarget(null)}
        finalFocus={focusAfterDialog}
      />
      <ManualCopyDialog link={linkToCopy} onClose={clearLink} />
      {shownId === null ? (
        sheet
      ) : (
        <Suspense>
          <MediaOverlay
            files={rows ?? []}
            shownId={shownId}
            onShow={setShownId}
            onShare={setFileToShare}
            onClose={() => setShownId(null)}
          >
            {sheet}
          </MediaOverlay>
        </Suspense>
      )}
    </>
  )
}

/** The rows in display order with decrypted names, updated as often as the remaining times require. */
function useFileRows(listed: readonly ListedFile[] | undefined) {
  const { fileNames } = useFilesContext()
  useSyncExternalStore(fileNames.subscribe, fileNames.version)
  const [stepMs, setStepMs] = useState(1000)
  const now = useTick(stepMs)
  const isPhone = useIsPhone()

  useEffect(() => fileNames.decrypt(listed ?? []), [fileNames, listed])

  const step = clockStepMs(listed ?? [], now)
  if (step !== stepMs) setStepMs(step)
  const rows = listed && rowsOf(listed, fileNames.nameOf, now)
  return { rows: rows && isPhone ? sortByName(rows) : rows, now }
}

/** Fewer new rows are rendered at once. */
const minDeferredRows = 3

/** Defers the rendering of many new rows, so that it does not block input; all other changes are rendered at once. */
function useDeferredAdditions(rows: readonly StoredFile[] | undefined): readonly StoredFile[] | undefined {
  const deferred = useDeferredValue(rows)
  const hasManyMore = rows && deferred && rows.length - deferred.length >= minDeferredRows
  return hasManyMore ? deferred : rows
}

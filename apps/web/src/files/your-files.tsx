import type { ListedFile } from '@sallyport/contract/files'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { DeleteDialog } from '#/file-views/delete-dialog.tsx'
import { ManualCopyDialog } from '#/file-views/manual-copy-dialog.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { useNow } from '#/ui/use-now.ts'
import { fileWords } from '#/words/files.ts'
import { FileListCard } from './file-list-card.tsx'
import { useDeleteFiles } from './files.queries.ts'
import { useFileWork } from './files-context.ts'
import { type ChosenFile, clockStepMs, isSameFile, rowsOf, sortByName } from './stored-files.ts'
import { useCopyLink } from './use-copy-link.ts'
import { useSaveMedia } from './use-save-media.ts'

const ShareSheet = lazy(async () => ({ default: (await import('./share-sheet.tsx')).ShareSheet }))
const MediaOverlay = lazy(async () => ({ default: (await import('./media-overlay.tsx')).MediaOverlay }))

interface YourFilesProps {
  /** Undefined while the list is on its way. */
  readonly listed: readonly ListedFile[] | undefined
}

/** The list and what can be done with each file of it. */
export function YourFiles({ listed }: YourFilesProps) {
  const { downloads, archives } = useFileWork()
  const { rows, now } = useRows(listed)
  const toast = useToast()
  const [asked, setAsked] = useState<string | 'all' | null>(null)
  const [shownId, setShownId] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const { copyLink, linkToCopy, forgetLink } = useCopyLink()
  const saveMedia = useSaveMedia()
  const deleteFiles = useDeleteFiles()
  const list = useRef<HTMLDivElement>(null)
  const deletedRow = useRef<number | null>(null)

  function confirmDelete() {
    if (asked === null) return
    setAsked(null)
    deletedRow.current = Math.max(0, rows?.findIndex(({ id }) => id === asked) ?? 0)
    deleteFiles.mutate(asked, {
      onSuccess: (count) => {
        if (asked === 'all') toast(fileWords.deleted(count))
      },
      onError: (error) => toast({ text: speak(error, fileWords.deleteFailed), tone: 'rust', urgent: true }),
    })
  }

  /** The button that was pressed goes with its row: the focus moves to the row that takes its place, or to the list. */
  function focusAfterDialog(): HTMLElement | boolean {
    const row = deletedRow.current
    deletedRow.current = null
    if (row === null) return true
    const left = [...(list.current?.querySelectorAll('li') ?? [])]
    const buttons = left[Math.min(row, left.length - 1)]?.querySelectorAll('button')
    return [...(buttons ?? [])].at(-1) ?? list.current ?? true
  }

  const shared = chosen && rows?.find((file) => isSameFile(file, chosen))
  const sheet = shared ? (
    <Suspense>
      <ShareSheet file={shared} onClose={() => setChosen(null)} />
    </Suspense>
  ) : null

  return (
    <>
      <div ref={list} tabIndex={-1} className="rounded-card outline-none">
        <FileListCard
          files={rows}
          now={now}
          onOpen={({ id }) => setShownId(id)}
          onDownload={downloads.start}
          onCopyLink={copyLink}
          onSave={(file) => void saveMedia(file)}
          onShare={setChosen}
          onDelete={({ id }) => setAsked(id)}
          onDownloadAll={archives.start}
          onDeleteAll={() => setAsked('all')}
        />
      </div>
      <DeleteDialog
        target={asked === 'all' ? 'all' : (rows?.find(({ id }) => id === asked) ?? null)}
        onConfirm={confirmDelete}
        onCancel={() => setAsked(null)}
        finalFocus={focusAfterDialog}
      />
      <ManualCopyDialog link={linkToCopy} onClose={forgetLink} />
      {shownId === null ? (
        sheet
      ) : (
        <Suspense>
          <MediaOverlay
            files={rows ?? []}
            shownId={shownId}
            onShow={setShownId}
            onShare={setChosen}
            onClose={() => setShownId(null)}
          >
            {sheet}
          </MediaOverlay>
        </Suspense>
      )}
    </>
  )
}

/** The files with their names opened, in the order of the screen, looked at as often as their times call for. */
function useRows(listed: readonly ListedFile[] | undefined) {
  const { names } = useFileWork()
  useSyncExternalStore(names.subscribe, names.current)
  const [stepMs, setStepMs] = useState(1000)
  const now = useNow(stepMs)
  const isPhone = useIsPhone()

  useEffect(() => names.open(listed ?? []), [names, listed])

  const step = clockStepMs(listed ?? [], now)
  if (step !== stepMs) setStepMs(step)
  const rows = listed && rowsOf(listed, names.nameOf, now)
  return { rows: rows && isPhone ? sortByName(rows) : rows, now }
}

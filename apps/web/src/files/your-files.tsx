import type { ListedFile } from '@sallyport/contract/files'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { copyText } from '#/ui/copy-text.ts'
import { useToast } from '#/ui/toast.tsx'
import { useNow } from '#/ui/use-now.ts'
import { fileWords } from '#/words/files.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { FileListCard } from './file-list-card.tsx'
import type { StoredFile } from './file-row.tsx'
import { useDeleteFiles } from './files.queries.ts'
import { useFileWork } from './files-context.ts'
import { ManualCopyDialog } from './manual-copy-dialog.tsx'
import { clockStepMs, rowsOf } from './stored-files.ts'

interface YourFilesProps {
  /** Undefined while the list is on its way. */
  readonly listed: readonly ListedFile[] | undefined
}

/** The list and what can be done with each file of it. */
export function YourFiles({ listed }: YourFilesProps) {
  const { names, shareLinks, downloads } = useFileWork()
  const opened = useSyncExternalStore(names.subscribe, names.current)
  const [stepMs, setStepMs] = useState(1000)
  const now = useNow(stepMs)
  const toast = useToast()
  const [asked, setAsked] = useState<string | 'all' | null>(null)
  const [linkToCopy, setLinkToCopy] = useState<string | null>(null)
  const deleteFiles = useDeleteFiles()
  const list = useRef<HTMLDivElement>(null)
  const deletedRow = useRef<number | null>(null)

  useEffect(() => names.open(listed ?? []), [names, listed])

  const rows = listed && rowsOf(listed, opened, now)
  const step = clockStepMs(listed ?? [], now)
  if (step !== stepMs) setStepMs(step)

  async function copyLink(file: StoredFile): Promise<boolean> {
    const link = shareLinks.linkTo(file.id)
    try {
      const isCopied = await copyText(link)
      if (!isCopied) setLinkToCopy(await link)
      return isCopied
    } catch (error) {
      toast({ text: speak(error, fileWords.copyFailed), tone: 'rust', urgent: true })
      return false
    }
  }

  function confirmDelete() {
    if (asked === null) return
    setAsked(null)
    deletedRow.current = Math.max(0, rows?.findIndex(({ id }) => id === asked) ?? 0)
    deleteFiles.mutate(asked, {
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

  return (
    <>
      <div ref={list} tabIndex={-1} className="rounded-card outline-none">
        <FileListCard
          files={rows}
          now={now}
          onDownload={({ id }) => downloads.start(id)}
          onCopyLink={copyLink}
          onDelete={({ id }) => setAsked(id)}
          onDeleteAll={() => setAsked('all')}
        />
      </div>
      <DeleteDialog
        target={asked === null ? null : asked === 'all' ? 'all' : 'file'}
        onConfirm={confirmDelete}
        onCancel={() => setAsked(null)}
        finalFocus={focusAfterDialog}
      />
      <ManualCopyDialog link={linkToCopy} onClose={() => setLinkToCopy(null)} />
    </>
  )
}

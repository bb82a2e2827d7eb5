import { droppedEntries, droppedFiles } from '@sallyport/transfers/browser/uploads/file-handles'
import { useEffect, useEffectEvent, useState } from 'react'

interface UseFileDropOptions {
  readonly onFiles: (files: readonly File[]) => void
  /** Called instead of `onFiles` if the drop contains folders. */
  readonly onFolders?: (entries: readonly FileSystemEntry[]) => void
  /** Called if the program that the drop came from has handed over nothing, such as a mail program. */
  readonly onNothing?: () => void
  /** While false, drops are ignored, but the browser still does not navigate to the file. */
  readonly enabled: boolean
}

interface FileDrag {
  readonly isOver: boolean
  /** Number of files dragged over the page; 0 if the browser does not expose it before the drop. */
  readonly fileCount: number
  /** True if some may be folders: until the drop, folders look like files of unknown type. */
  readonly maybeFolders: boolean
}

const noDrag: FileDrag = { isOver: false, fileCount: 0, maybeFolders: false }

/** Handles files dropped anywhere on the page. */
export function useFileDrop({ onFiles, onFolders, onNothing, enabled }: UseFileDropOptions): FileDrag {
  const [drag, setDrag] = useState(noDrag)

  const handleDragOver = useEffectEvent((event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = enabled ? 'copy' : 'none'
    if (!enabled) return
    const dragged = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file')
    const [fileCount, maybeFolders] = [dragged.length, dragged.some(({ type }) => type === '')]
    setDrag((previous) =>
      previous.isOver && previous.fileCount === fileCount ? previous : { isOver: true, fileCount, maybeFolders },
    )
  })

  const handleDragLeave = useEffectEvent((event: DragEvent) => {
    // Only leaving the window counts; moving between elements also fires this event.
    if (event.relatedTarget === null) setDrag(noDrag)
  })

  const handleDrop = useEffectEvent((event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    setDrag(noDrag)
    if (!enabled) return
    // Read synchronously within the event; afterwards the browser clears the data.
    const entries = event.dataTransfer ? droppedEntries(event.dataTransfer) : []
    const files = event.dataTransfer ? droppedFiles(event.dataTransfer) : []
    if (onFolders && entries.some(({ isDirectory }) => isDirectory)) onFolders(entries)
    else if (files.length > 0) onFiles(files)
    else onNothing?.()
  })

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('dragenter', (event) => handleDragOver(event), { signal })
    addEventListener('dragover', (event) => handleDragOver(event), { signal })
    addEventListener('dragleave', (event) => handleDragLeave(event), { signal })
    addEventListener('drop', (event) => handleDrop(event), { signal })
    addEventListener('dragend', () => setDrag(noDrag), { signal })
    return () => controller.abort()
  }, [])

  return drag
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

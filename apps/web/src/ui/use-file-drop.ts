import { useEffect, useEffectEvent, useState } from 'react'
import { droppedEntries, droppedFiles } from './file-handles.ts'

interface FileDropProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Takes what is dropped in place of `onFiles` when there are folders among it. */
  readonly onFolders?: (entries: readonly FileSystemEntry[]) => void
  /** While off, a drop does nothing, but the browser still does not leave the page to open the file. */
  readonly enabled: boolean
}

interface FileDrag {
  readonly isOver: boolean
  /** How many files are held over the page, where the browser tells before the drop; else 0. */
  readonly fileCount: number
  /** Some of them may be folders: until the drop they look like files of no known type. */
  readonly maybeFolders: boolean
}

const nothing: FileDrag = { isOver: false, fileCount: 0, maybeFolders: false }

/** Takes files dropped anywhere on the page. */
export function useFileDrop({ onFiles, onFolders, enabled }: FileDropProps): FileDrag {
  const [drag, setDrag] = useState(nothing)

  const over = useEffectEvent((event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = enabled ? 'copy' : 'none'
    if (!enabled) return
    const held = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file')
    const [fileCount, maybeFolders] = [held.length, held.some(({ type }) => type === '')]
    setDrag((before) =>
      before.isOver && before.fileCount === fileCount ? before : { isOver: true, fileCount, maybeFolders },
    )
  })

  const leave = useEffectEvent((event: DragEvent) => {
    // Only leaving the window counts; moving between elements also fires this event.
    if (event.relatedTarget === null) setDrag(nothing)
  })

  const drop = useEffectEvent((event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    setDrag(nothing)
    if (!enabled) return
    // Only within the event: afterwards the browser has forgotten what was dropped.
    const entries = event.dataTransfer ? droppedEntries(event.dataTransfer) : []
    const files = event.dataTransfer ? droppedFiles(event.dataTransfer) : []
    if (onFolders && entries.some(({ isDirectory }) => isDirectory)) onFolders(entries)
    else if (files.length > 0) onFiles(files)
  })

  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('dragenter', (event) => over(event), { signal })
    addEventListener('dragover', (event) => over(event), { signal })
    addEventListener('dragleave', (event) => leave(event), { signal })
    addEventListener('drop', (event) => drop(event), { signal })
    addEventListener('dragend', () => setDrag(nothing), { signal })
    return () => listening.abort()
  }, [])

  return drag
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

import { type ChangeEvent, type MouseEvent, type RefObject, useCallback } from 'react'
import { hasPersistentPicker, pickFiles } from '#/components/file-input/pick-files.ts'

interface FilePickerProps {
  readonly ref: RefObject<HTMLInputElement | null>
  /** The accessible name. */
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  /** Picks a folder; every file in it has a `webkitRelativePath`. */
  readonly folder?: boolean
  readonly disabled?: boolean
  readonly className: string
}

/** The browser's own file input for several files, opened by a visible button. */
export function FilePicker({ ref, label, onFiles, folder = false, disabled = false, className }: FilePickerProps) {
  const attach = useCallback(
    (input: HTMLInputElement | null) => {
      ref.current = input
      if (input && folder) input.webkitdirectory = true
    },
    [ref, folder],
  )

  function handleChange(event: ChangeEvent<HTMLInputElement>) {
    const files = [...(event.target.files ?? [])]
    // Reset, so that choosing the same file again fires an event.
    event.target.value = ''
    if (files.length > 0) onFiles(files)
  }

  /** Uses the File System Access picker where available, because its files can be reopened at a later visit. */
  function pickWithHandles(event: MouseEvent) {
    if (folder || !hasPersistentPicker()) return
    event.preventDefault()
    void pickFiles({ multiple: true }).then((files) => (files.length > 0 ? onFiles(files) : undefined))
  }

  return (
    <input
      ref={attach}
      type="file"
      multiple
      tabIndex={-1}
      aria-label={label}
      title=""
      disabled={disabled}
      onClick={pickWithHandles}
      onChange={handleChange}
      className={className}
    />
  )
}

import { type ChangeEvent, type MouseEvent, type RefObject, useCallback } from 'react'
import { hasLastingPicker, pickFiles } from '#/ui/pick-files.ts'

interface FilePickerProps {
  readonly ref: RefObject<HTMLInputElement | null>
  /** Spoken name of what is to be chosen. */
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  /** Asks for a folder, and gives every file in it with its `webkitRelativePath`. */
  readonly folder?: boolean
  readonly disabled?: boolean
  readonly className: string
}

/** The browser's own picker, several files at a time; pressed by whatever stands for it. */
export function FilePicker({ ref, label, onFiles, folder = false, disabled = false, className }: FilePickerProps) {
  const place = useCallback(
    (input: HTMLInputElement | null) => {
      ref.current = input
      if (input && folder) input.webkitdirectory = true
    },
    [ref, folder],
  )

  function takeFiles(event: ChangeEvent<HTMLInputElement>) {
    const files = [...(event.target.files ?? [])]
    // The same file may be chosen again later; without this the browser would not tell.
    event.target.value = ''
    if (files.length > 0) onFiles(files)
  }

  /** What is chosen by the browser's better picker can be gone on with at a later visit. */
  function pickLasting(event: MouseEvent) {
    if (folder || !hasLastingPicker()) return
    event.preventDefault()
    void pickFiles({ multiple: true }).then((files) => (files.length > 0 ? onFiles(files) : undefined))
  }

  return (
    <input
      ref={place}
      type="file"
      multiple
      tabIndex={-1}
      aria-label={label}
      title=""
      disabled={disabled}
      onClick={pickLasting}
      onChange={takeFiles}
      className={className}
    />
  )
}

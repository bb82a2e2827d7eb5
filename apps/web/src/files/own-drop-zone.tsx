import { useRef } from 'react'
import { DropZone } from '#/file-views/drop-zone.tsx'
import { FilePicker } from '#/intake/file-picker.tsx'
import { Button } from '#/ui/button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { intakeWords } from '#/words/intake.ts'
import { NextLifetime } from './next-lifetime.tsx'

interface OwnDropZoneProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Takes the files of a folder, each with its `webkitRelativePath`; left out where browsers cannot pick one. */
  readonly onPickedFolder?: ((files: readonly File[]) => void) | undefined
  /** Left out where the page cannot ask for the clipboard. */
  readonly onPaste?: (() => void) | undefined
  /** Files are held over the page. */
  readonly isOver: boolean
  /** The lifetime of the next file. */
  readonly expiryMinutes: number
  /** The lifetimes on offer, in minutes. */
  readonly expiryOptions: readonly number[]
  readonly onExpiryChange: (minutes: number) => void
  readonly disabled?: boolean
}

/** Where an account's own files come in, and how long the next ones will last. */
export function OwnDropZone(props: OwnDropZoneProps) {
  const { onFiles, onPickedFolder, onPaste, isOver, disabled = false } = props
  const isPhone = useIsPhone()
  return (
    <DropZone
      onFiles={onFiles}
      isOver={isOver}
      disabled={disabled}
      pickerLabel={intakeWords.files}
      title={isPhone ? 'Tap to browse files, or paste from clipboard' : 'Drop files to seal them'}
      hint={
        isPhone
          ? undefined
          : `Drag and drop anywhere, paste with ${pasteKeys()}, or click to browse. Encrypted here, before upload.`
      }
      beside={
        isPhone ? (
          <PasteButton onPaste={onPaste} disabled={disabled} />
        ) : (
          <ChooseFolder onFiles={onPickedFolder} disabled={disabled} />
        )
      }
    >
      <NextLifetime minutes={props.expiryMinutes} options={props.expiryOptions} onChange={props.onExpiryChange} />
    </DropZone>
  )
}

interface PasteButtonProps {
  readonly onPaste: (() => void) | undefined
  readonly disabled: boolean
}

/** For devices without a key to paste with. */
function PasteButton({ onPaste, disabled }: PasteButtonProps) {
  if (!onPaste) return null
  return (
    <Button disabled={disabled} onClick={onPaste}>
      {intakeWords.paste}
    </Button>
  )
}

interface ChooseFolderProps {
  readonly onFiles: ((files: readonly File[]) => void) | undefined
  readonly disabled: boolean
}

function ChooseFolder({ onFiles, disabled }: ChooseFolderProps) {
  const picker = useRef<HTMLInputElement>(null)
  if (!onFiles) return null
  return (
    <>
      <FilePicker
        ref={picker}
        folder
        label={intakeWords.folder}
        onFiles={onFiles}
        disabled={disabled}
        className="hidden"
      />
      <Button disabled={disabled} onClick={() => picker.current?.click()}>
        {intakeWords.chooseFolder}
      </Button>
    </>
  )
}

function pasteKeys(): string {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘V' : 'Ctrl+V'
}

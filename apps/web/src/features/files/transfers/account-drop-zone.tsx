import { useRef } from 'react'
import { FilePicker } from '#/components/file-input/file-picker.tsx'
import { DropZone } from '#/components/files/drop-zone.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { intakeStrings } from '#/strings/intake.ts'
import { NewFileLifetime } from '../new-file-lifetime.tsx'

interface AccountDropZoneProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Receives the files of a folder, each with its `webkitRelativePath`; absent where browsers cannot pick folders. */
  readonly onPickedFolder?: ((files: readonly File[]) => void) | undefined
  /** Absent where the page cannot read the clipboard. */
  readonly onPaste?: (() => void) | undefined
  /** Whether files are dragged over the page. */
  readonly isOver: boolean
  /** The lifetime of new files. */
  readonly expiryMinutes: number
  /** The offered lifetimes in minutes. */
  readonly expiryOptions: readonly number[]
  readonly onExpiryChange: (minutes: number) => void
  readonly disabled?: boolean
}

/** The drop zone of the account, with the lifetime of new files. */
export function AccountDropZone(props: AccountDropZoneProps) {
  const { onFiles, onPickedFolder, onPaste, isOver, disabled = false } = props
  const isPhone = useIsPhone()
  return (
    <DropZone
      onFiles={onFiles}
      isOver={isOver}
      disabled={disabled}
      pickerLabel={intakeStrings.files}
      title={isPhone ? intakeStrings.tapToBrowse : intakeStrings.dropToUpload}
      hint={isPhone ? undefined : intakeStrings.dropHint(pasteShortcut())}
      extraActions={
        isPhone ? (
          <PasteButton onPaste={onPaste} disabled={disabled} />
        ) : (
          <ChooseFolder onFiles={onPickedFolder} disabled={disabled} />
        )
      }
    >
      <NewFileLifetime minutes={props.expiryMinutes} options={props.expiryOptions} onChange={props.onExpiryChange} />
    </DropZone>
  )
}

interface PasteButtonProps {
  readonly onPaste: (() => void) | undefined
  readonly disabled: boolean
}

/** For devices without a keyboard shortcut for pasting. */
function PasteButton({ onPaste, disabled }: PasteButtonProps) {
  if (!onPaste) return null
  return (
    <Button disabled={disabled} onClick={onPaste}>
      {intakeStrings.paste}
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
        label={intakeStrings.folder}
        onFiles={onFiles}
        disabled={disabled}
        className="hidden"
      />
      <Button disabled={disabled} onClick={() => picker.current?.click()}>
        {intakeStrings.chooseFolder}
      </Button>
    </>
  )
}

function pasteShortcut(): string {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent) ? intakeStrings.pasteShortcutMac : intakeStrings.pasteShortcut
}

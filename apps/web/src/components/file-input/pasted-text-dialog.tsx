import { serverClock } from '@sallyport/browser/server-clock'
import { formatBytes } from '@sallyport/contract/formats'
import { useRef, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { toDate } from '#/strings/format.ts'
import { pastedTextStrings } from '#/strings/intake.ts'
import { formatForFileName } from './name-pasted-images.ts'

interface PastedTextDialogProps {
  readonly text: string
  readonly onUpload: (file: File) => void
  /** Absent where there is no chat to send it to. */
  readonly onSendToChat?: ((text: string) => void) | undefined
  readonly onClose: () => void
}

/** Shows pasted text and lets the user choose what to do with it. */
export function PastedTextDialog({ text, onUpload, onSendToChat, onClose }: PastedTextDialogProps) {
  const [defaultName] = useState(() => pastedTextStrings.defaultName(formatForFileName(toDate(serverClock.now()))))
  const [name, setName] = useState(defaultName)
  const uploadButton = useRef<HTMLButtonElement>(null)

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={pastedTextStrings.title}
      description={pastedTextStrings.intro}
      initialFocus={uploadButton}
      actions={
        <>
          {onSendToChat ? <Button onClick={() => onSendToChat(text)}>{pastedTextStrings.toChat}</Button> : null}
          <Button
            ref={uploadButton}
            variant="primary"
            onClick={() => onUpload(new File([text], textFileName(name, defaultName), { type: 'text/plain' }))}
          >
            {pastedTextStrings.save}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div>
          <section
            aria-label={pastedTextStrings.text}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text has to be scrollable by keyboard.
            tabIndex={0}
            className="max-h-44 overflow-auto rounded-control border border-line bg-sunken px-3 py-2.5 text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {text}
          </section>
          <p className="num mt-1.5 text-xs text-ink-3">{sizeOf(text)}</p>
        </div>
        <TextField
          label={pastedTextStrings.name}
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
    </Dialog>
  )
}

const sizeOf = (text: string): string =>
  pastedTextStrings.size(text.trimEnd().split('\n').length, formatBytes(new TextEncoder().encode(text).length))

function textFileName(typed: string, fallback: string): string {
  const name = typed.trim()
  if (name === '') return fallback
  return /\.[^.\s]+$/.test(name) ? name : `${name}.txt`
}

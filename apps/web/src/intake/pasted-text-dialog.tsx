import { formatBytes } from '@sallyport/contract/formats'
import { useRef, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { pastedTextWords } from '#/words/intake.ts'
import { writeMoment } from './clipboard.ts'

interface PastedTextDialogProps {
  readonly text: string
  readonly onSeal: (file: File) => void
  /** Left out where there is no chat to put it in. */
  readonly onToChat?: ((text: string) => void) | undefined
  readonly onClose: () => void
}

/** Shows the text that was pasted, before anything is done with it. */
export function PastedTextDialog({ text, onSeal, onToChat, onClose }: PastedTextDialogProps) {
  const [defaultName] = useState(() => pastedTextWords.defaultName(writeMoment(new Date())))
  const [name, setName] = useState(defaultName)
  const sealButton = useRef<HTMLButtonElement>(null)

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={pastedTextWords.title}
      description={pastedTextWords.intro}
      initialFocus={sealButton}
      actions={
        <>
          {onToChat ? <Button onClick={() => onToChat(text)}>{pastedTextWords.toChat}</Button> : null}
          <Button
            ref={sealButton}
            variant="primary"
            onClick={() => onSeal(new File([text], textFileName(name, defaultName), { type: 'text/plain' }))}
          >
            {pastedTextWords.seal}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div>
          <section
            aria-label={pastedTextWords.text}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard, too.
            tabIndex={0}
            className="max-h-44 overflow-auto rounded-control border border-line bg-sunken px-3 py-2.5 text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {text}
          </section>
          <p className="num mt-1.5 text-xs text-ink-3">{sizeOf(text)}</p>
        </div>
        <TextField
          label={pastedTextWords.name}
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
  pastedTextWords.size(text.trimEnd().split('\n').length, formatBytes(new TextEncoder().encode(text).length))

function textFileName(typed: string, otherwise: string): string {
  const name = typed.trim()
  if (name === '') return otherwise
  return /\.[^.\s]+$/.test(name) ? name : `${name}.txt`
}

import { Check } from 'lucide-react'
import { controlStrings } from '#/strings/controls.ts'
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx'
import { useFlash } from './hooks/use-flash.ts'
import { SteadyLabel } from './steady-label.tsx'

interface CopyButtonProps {
  /** The default label, such as "Copy Link". */
  readonly label: string
  /** Copies the text to the clipboard; resolves with true on success. The caller reports failures. */
  readonly onCopy: () => Promise<boolean>
  /** Distinguishes buttons with the same label for screen readers, for example by the file name. */
  readonly subject?: string
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly disabled?: boolean
  readonly className?: string
}

/** How long a button shows that it has copied, in milliseconds. */
const copiedMs = 2000

/** A copy button that shows "Copied!" for 2 s without changing its width. */
export function CopyButton({
  label,
  onCopy,
  subject,
  variant = 'secondary',
  size = 'compact',
  disabled = false,
  className,
}: CopyButtonProps) {
  const { isShown: copied, show: markCopied } = useFlash(copiedMs)

  async function copy() {
    if (await onCopy()) markCopied()
  }

  return (
    <>
      <Button
        variant={copied ? 'done' : variant}
        size={size}
        disabled={disabled}
        className={className}
        onClick={() => void copy()}
      >
        {copied ? (
          <SteadyLabel reserve={label}>
            <Check aria-hidden size={14} strokeWidth={2.5} className="me-1.5" />
            {controlStrings.copied}
          </SteadyLabel>
        ) : (
          <SteadyLabel reserve={controlStrings.copied} reserveStart="1.25rem">
            {label}
          </SteadyLabel>
        )}
        {subject ? <span className="sr-only">{subject}</span> : null}
      </Button>
      <span role="status" className="sr-only">
        {copied ? controlStrings.copiedSubject(subject ?? label) : null}
      </span>
    </>
  )
}

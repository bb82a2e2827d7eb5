import { Check } from 'lucide-react'
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx'
import { SteadyLabel } from './steady-label.tsx'
import { useCopied } from './use-copied.ts'

interface CopyButtonProps {
  /** What the button says at rest, such as "Copy Link". */
  readonly label: string
  /** Puts the text on the clipboard; true when it is there. A refusal is the caller's to report. */
  readonly onCopy: () => Promise<boolean>
  /** Tells apart buttons that say the same, such as the file's name. */
  readonly subject?: string
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly disabled?: boolean
  readonly className?: string
}

/** Says "Copied!" for two seconds in the same place and width. */
export function CopyButton({
  label,
  onCopy,
  subject,
  variant = 'secondary',
  size = 'compact',
  disabled = false,
  className,
}: CopyButtonProps) {
  const { copied, markCopied } = useCopied()

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
            Copied!
          </SteadyLabel>
        ) : (
          <SteadyLabel reserve="Copied!" reserveStart="1.25rem">
            {label}
          </SteadyLabel>
        )}
        {subject ? <span className="sr-only">{subject}</span> : null}
      </Button>
      <span role="status" className="sr-only">
        {copied ? `Copied: ${subject ?? label}` : null}
      </span>
    </>
  )
}

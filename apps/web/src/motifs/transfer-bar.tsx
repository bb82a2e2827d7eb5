import type { CSSProperties } from 'react'
import { classNames } from '#/ui/class-names.ts'

interface TransferBarProps {
  /** Spoken name, such as "Uploading plan.pdf". */
  readonly label: string
  /** Share that is encrypted, 0 to 1: the hatch. */
  readonly encrypted?: number
  /** Share that is delivered, 0 to 1: the solid part, and the value that is spoken. */
  readonly delivered: number
  /** Spoken value, such as "46 percent, about 30 seconds left". */
  readonly valueText: string
  readonly tone?: 'seal' | 'rust' | 'quiet'
  readonly className?: string
}

/** Hatch shows what is encrypted, solid what has arrived; the hatch is never behind. */
export function TransferBar({
  label,
  encrypted = 0,
  delivered,
  valueText,
  tone = 'seal',
  className,
}: TransferBarProps) {
  const shares = {
    '--encrypted': encrypted > delivered ? share(encrypted) : 0,
    '--delivered': share(delivered),
  } as CSSProperties

  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share(delivered) * 100)}
      aria-valuetext={valueText}
      data-tone={tone}
      style={shares}
      className={classNames('transfer-bar', className)}
    >
      <div className="transfer-bar-encrypted" />
      <div className="transfer-bar-delivered" />
    </div>
  )
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value))
}

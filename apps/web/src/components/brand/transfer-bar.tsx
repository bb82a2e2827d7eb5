import type { CSSProperties } from 'react'
import { classNames } from '#/components/ui/class-names.ts'

interface TransferBarProps {
  /** Accessible name, such as "Uploading plan.pdf". */
  readonly label: string
  /** Encrypted share, 0 to 1: the hatched part. */
  readonly encrypted?: number
  /** Delivered share, 0 to 1: the solid part and the announced value. */
  readonly delivered: number
  /** Announced value, such as "46 percent, about 30 seconds left". */
  readonly valueText: string
  readonly tone?: 'seal' | 'rust' | 'quiet'
  readonly className?: string
}

/** A progress bar with two layers: hatched for encrypted, solid for delivered. */
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

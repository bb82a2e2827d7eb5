import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'

interface ProgressBarProps {
  /** Accessible name. */
  readonly label: string
  /** 0 to 1, or null while unknown. */
  readonly value: number | null
  /** Announced instead of the percentage, such as "46 percent, about 30 seconds left". */
  readonly valueText?: string
  readonly tone?: 'ink' | 'seal' | 'brass' | 'rust'
  readonly className?: string
}

/** A plain progress bar. Transfers use `TransferBar`, which has two layers. */
export function ProgressBar({ label, value, valueText, tone = 'ink', className }: ProgressBarProps) {
  const share = value === null ? 1 : Math.min(1, Math.max(0, value))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === null ? undefined : Math.round(share * 100)}
      aria-valuetext={valueText}
      className={classNames('h-2 overflow-hidden rounded-full bg-sunken forced-colors:border', className)}
    >
      <div
        style={{ '--share': share } as CSSProperties}
        className={classNames(
          'h-full w-[calc(var(--share)*100%)] rounded-full forced-colors:bg-[CanvasText]',
          fills[tone],
          value === null && 'opacity-40',
        )}
      />
    </div>
  )
}

const fills = { ink: 'bg-ink', seal: 'bg-seal-fill', brass: 'bg-brass', rust: 'bg-rust' } as const

import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'neutral' | 'seal' | 'brass' | 'rust' | 'ink'

interface BadgeProps {
  readonly tone?: Tone
  readonly className?: string
  readonly children: ReactNode
}

/** A status in one or two words. The text carries the meaning; the colour only repeats it. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-6 shrink-0 items-center gap-1 rounded-full border px-2.5 text-2xs font-semibold whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

const tones: Record<Tone, string> = {
  neutral: 'border-soft-border bg-sunken text-ink-2',
  seal: 'border-soft-border bg-seal-soft text-seal',
  brass: 'border-soft-border bg-brass-soft text-brass-ink',
  rust: 'border-soft-border bg-rust-soft text-rust',
  ink: 'border-primary bg-primary text-on-primary',
}

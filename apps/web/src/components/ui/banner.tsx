import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

type BannerTone = 'neutral' | 'seal' | 'brass' | 'rust'

interface BannerProps {
  readonly tone?: BannerTone
  /** Announced assertively instead of politely. */
  readonly urgent?: boolean
  /** Buttons next to the text. */
  readonly actions?: ReactNode
  readonly onDismiss?: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A message about the whole page or the section below. Long words wrap instead of widening the page. */
export function Banner({ tone = 'neutral', urgent = false, actions, onDismiss, className, children }: BannerProps) {
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control border py-2 ps-3.5 pe-2 text-sm',
        tones[tone],
        className,
      )}
    >
      <p className={classNames('min-w-0 flex-1 py-1 font-medium wrap-anywhere', actions ? 'basis-60' : null)}>
        {children}
      </p>
      {actions || onDismiss ? (
        <div className="flex items-center gap-1.5">
          {actions}
          {onDismiss ? (
            <IconButton
              label={controlStrings.dismiss}
              size="compact"
              icon={<X aria-hidden size={18} strokeWidth={1.75} />}
              onClick={onDismiss}
            />
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

const tones: Record<BannerTone, string> = {
  neutral: 'border-line bg-sunken text-ink',
  seal: 'border-soft-border bg-seal-soft text-seal',
  brass: 'border-soft-border bg-brass-soft text-brass-ink',
  rust: 'border-soft-border bg-rust-soft text-rust',
}

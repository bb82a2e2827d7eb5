import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface BarProps {
  /** Layout of the content. */
  readonly className?: string
  readonly children: ReactNode
}

/** The sticky bar at the top of a page. */
export function Bar({ className, children }: BarProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className={classNames('flex h-14 items-center justify-between gap-4 px-4 md:px-6', className)}>
        {children}
      </div>
    </header>
  )
}

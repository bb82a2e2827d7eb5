import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface BarProps {
  /** How what is in it shares the line. */
  readonly className?: string
  readonly children: ReactNode
}

/** The bar along the top of a page; it stays while the page is scrolled. */
export function Bar({ className, children }: BarProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className={classNames('flex h-14 items-center justify-between gap-4 px-4 md:px-6', className)}>
        {children}
      </div>
    </header>
  )
}

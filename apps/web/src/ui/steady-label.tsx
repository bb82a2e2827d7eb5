import type { ReactNode } from 'react'

interface SteadyLabelProps {
  /** Text the label will change to or came from; its width is kept free, yet it is not in the document. */
  readonly reserve: string
  readonly children: ReactNode
}

/** A label that may change without moving anything around it. */
export function SteadyLabel({ reserve, children }: SteadyLabelProps) {
  return (
    <span className="steady-label" data-reserve={reserve}>
      <span className="inline-flex items-center gap-1.5">{children}</span>
    </span>
  )
}

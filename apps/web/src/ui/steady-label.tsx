import type { CSSProperties, ReactNode } from 'react'

interface SteadyLabelProps {
  /** Text the label will change to or came from; its width is kept free, yet it is not in the document. */
  readonly reserve: string
  /** Room before that text, such as for an icon it will have. */
  readonly reserveStart?: string
  readonly children: ReactNode
}

/** A label that may change without moving anything around it. */
export function SteadyLabel({ reserve, reserveStart = '0', children }: SteadyLabelProps) {
  return (
    <span className="steady-label" data-reserve={reserve} style={{ '--reserve-start': reserveStart } as CSSProperties}>
      <span className="inline-flex items-center">{children}</span>
    </span>
  )
}

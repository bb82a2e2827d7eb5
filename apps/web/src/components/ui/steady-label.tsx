import type { CSSProperties, ReactNode } from 'react'

interface SteadyLabelProps {
  /** The other text of the label. Its width is reserved without adding it to the document. */
  readonly reserve: string
  /** Extra width before that text, for example for an icon. */
  readonly reserveStart?: string
  readonly children: ReactNode
}

/** A label that can change its text without a layout shift. */
export function SteadyLabel({ reserve, reserveStart = '0', children }: SteadyLabelProps) {
  return (
    <span className="steady-label" data-reserve={reserve} style={{ '--reserve-start': reserveStart } as CSSProperties}>
      <span className="inline-flex items-center">{children}</span>
    </span>
  )
}

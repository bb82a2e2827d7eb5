import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

interface TooltipProps {
  /** Additional information; never the only accessible name of the control. */
  readonly text: ReactNode
  /** A focusable control. */
  readonly children: ReactElement
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger delay={400} render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-40">
          <Base.Popup className="max-w-72 rounded-segment border border-line bg-raised px-2.5 py-1.5 text-xs text-ink shadow-float">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

import type { ReactNode } from 'react'

interface BackButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Button that leads from a form back to the previous view. */
export function BackButton({ onClick, children }: BackButtonProps) {
  return (
    <button
      type="button"
      className="-mt-1 mb-3 rounded-segment py-1 text-xs font-semibold text-ink-2 hover:text-ink pointer-coarse:min-h-11"
      onClick={onClick}
    >
      {children}
    </button>
  )
}

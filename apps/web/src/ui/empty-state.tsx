import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly picture?: ReactNode
  readonly title: ReactNode
  readonly hint?: ReactNode
  readonly action?: ReactNode
}

/** What a list says while it holds nothing: what to do next. */
export function EmptyState({ picture, title, hint, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-5 py-10 text-center">
      {picture ? <div className="mb-3">{picture}</div> : null}
      <p className="text-base text-ink-2">{title}</p>
      {hint ? <p className="text-sm text-ink-3">{hint}</p> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  )
}

import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly illustration?: ReactNode
  readonly title: ReactNode
  readonly hint?: ReactNode
  readonly action?: ReactNode
}

/** Placeholder of an empty list that suggests what to do next. */
export function EmptyState({ illustration, title, hint, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-5 py-10 text-center">
      {illustration ? <div className="mb-3">{illustration}</div> : null}
      <p className="text-base text-ink-2">{title}</p>
      {hint ? <p className="text-sm text-ink-3">{hint}</p> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  )
}

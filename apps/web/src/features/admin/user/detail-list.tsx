import type { ReactNode } from 'react'

interface DetailProps {
  readonly label: ReactNode
  readonly children: ReactNode
}

/** A label and its value, at both ends of a row of a description list. */
export const Detail = ({ label, children }: DetailProps) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
    <dt className="text-ink-2">{label}</dt>
    <dd className="min-w-0 text-end font-medium wrap-anywhere">{children}</dd>
  </div>
)

export const DetailList = ({ children }: { readonly children: ReactNode }) => (
  <dl className="divide-y divide-line text-sm">{children}</dl>
)

import type { ReactNode } from 'react'

interface FormAlertProps {
  /** Without a message nothing is shown, but the live region is always mounted. */
  readonly message: ReactNode
  readonly tone?: 'rust' | 'seal'
}

/** The result message above a form's button: an error or a success. */
export function FormAlert({ message, tone = 'rust' }: FormAlertProps) {
  return (
    <div role={tone === 'rust' ? 'alert' : 'status'} className="empty:hidden">
      {message ? (
        <p
          className={
            tone === 'rust'
              ? 'rounded-control border border-soft-border bg-rust-soft px-3.5 py-2.5 text-sm font-medium text-rust wrap-anywhere'
              : 'rounded-control border border-soft-border bg-seal-soft px-3.5 py-2.5 text-sm font-medium text-seal wrap-anywhere'
          }
        >
          {message}
        </p>
      ) : null}
    </div>
  )
}

import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

/** What a control must carry so that label, hint and error are tied to it. */
interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: ReactNode
  /** Shown at the end of the label's line, for example a link. */
  readonly aside?: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean
  readonly className?: string | undefined
  readonly children: (control: FieldControl) => ReactNode
}

/** A label, one control, and the hint or error that belongs to it. */
export function Field({ label, aside, hint, error, hideLabel = false, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = classNames(error ? errorId : null, hint ? hintId : null)

  return (
    <div className={classNames('grid gap-1.5', className)}>
      <div className={classNames('flex items-baseline justify-between gap-3', hideLabel && !aside && 'contents')}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-xs font-semibold text-ink'}>
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {hint ? (
        <p id={hintId} className="text-xs text-ink-3">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={errorId} role="alert" className="text-xs font-medium text-rust">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** The look of a box one types or picks in. */
export const controlClass =
  'h-control-large w-full rounded-control border border-line-strong bg-surface px-3.5 text-base text-ink ' +
  'transition-[border-color] duration-90 placeholder:text-ink-3 hover:enabled:border-ink-2 ' +
  'focus-visible:outline-offset-0 aria-invalid:border-rust ' +
  'disabled:border-line disabled:bg-sunken disabled:text-ink-3'

import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'

/** Props that associate a control with its label, hint and error. */
interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** Hides the label visually; screen readers still announce it. */
  readonly hideLabel?: boolean
  /** Classes of the whole field. */
  readonly fieldClassName?: string | undefined
}

interface FieldFrameProps extends FieldProps {
  readonly children: (control: FieldControl) => ReactNode
}

/** A form field: a label, one control, and a hint or error. */
export function Field({ label, hint, error, hideLabel = false, fieldClassName, children }: FieldFrameProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = classNames(error ? errorId : null, hint ? hintId : null)

  return (
    <div className={classNames('grid gap-1.5', fieldClassName)}>
      <div className={hideLabel ? 'contents' : 'flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-xs font-semibold text-ink'}>
          {label}
        </label>
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

/** Separates the props of a field from those of its control. */
export function splitFieldProps<Props extends FieldProps>(props: Props) {
  const { label, hint, error, hideLabel = false, fieldClassName, ...control } = props
  return { field: { label, hint, error, hideLabel, fieldClassName }, control }
}

/** Classes of text inputs and selects. */
export const controlClass =
  'h-control-large w-full rounded-control border border-line-strong bg-surface px-3.5 text-base text-ink ' +
  'transition-[border-color] duration-90 placeholder:text-ink-3 hover:enabled:border-ink-2 ' +
  'focus-visible:outline-offset-0 aria-invalid:border-rust ' +
  'disabled:border-line disabled:bg-sunken disabled:text-ink-3'

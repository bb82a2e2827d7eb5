import { useState } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field } from './field.tsx'
import type { TextFieldProps } from './text-field.tsx'

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'autoComplete'> {
  /** Tells password managers whether to fill in or to offer a new one. */
  readonly autoComplete: 'current-password' | 'new-password'
}

/** A password box with a Show button; pasting and password managers work as everywhere. */
export function PasswordField({
  label,
  aside,
  hint,
  error,
  hideLabel,
  fieldClassName,
  className,
  ...rest
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)

  return (
    <Field
      label={label}
      aside={aside}
      hint={hint}
      error={error}
      hideLabel={hideLabel ?? false}
      className={fieldClassName}
    >
      {(control) => (
        <span className="relative block">
          <input
            {...rest}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={classNames(controlClass, 'pe-16', className)}
          />
          <button
            type="button"
            aria-label={isShown ? 'Hide password' : 'Show password'}
            disabled={rest.disabled}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 end-1 rounded-segment px-2.5 text-xs text-ink-2 hover:text-ink focus-visible:outline-offset-0 disabled:text-ink-3"
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
    </Field>
  )
}

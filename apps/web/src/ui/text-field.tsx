import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field } from './field.tsx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'size' | 'id'> {
  readonly label: ReactNode
  readonly aside?: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly hideLabel?: boolean
  /** Classes of the whole field; `className` goes to the input. */
  readonly fieldClassName?: string
}

export function TextField({
  label,
  aside,
  hint,
  error,
  hideLabel,
  fieldClassName,
  className,
  ...rest
}: TextFieldProps) {
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
        <input {...rest} {...control} className={classNames(controlClass, 'read-only:bg-sunken', className)} />
      )}
    </Field>
  )
}

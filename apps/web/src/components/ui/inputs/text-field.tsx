import type { ComponentProps } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { classNames } from '../class-names.ts'
import { controlClass, Field, type FieldProps, splitFieldProps } from './field.tsx'

/** `className` applies to the input. */
export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'size' | 'id'> {}

export function TextField(props: TextFieldProps) {
  const { field, control: input } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <input {...input} {...control} className={classNames(controlClass, 'read-only:bg-sunken', input.className)} />
      )}
    </Field>
  )
}

/** Asks for an email address, by default the one by which password managers find an account. */
export const EmailField = (props: Partial<TextFieldProps>) => (
  <TextField label={controlStrings.email} type="email" name="email" autoComplete="username" {...props} />
)

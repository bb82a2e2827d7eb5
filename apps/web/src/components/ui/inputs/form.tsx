import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import { FormAlert } from './form-alert.tsx'

/** The messages of a form: one for each invalid field, and `form` for the form as a whole. */
export type FormMessages<Values> = { readonly [Field in keyof Values | 'form']?: string | null }

/** What the parts of a form need to know about it, whatever its fields. */
interface FormStatus {
  readonly isBusy: boolean
  readonly messages: FormMessages<object>
  readonly handleSubmit: (event: FormEvent) => void
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  readonly form: FormStatus
}

/** A form of `useForm`. It validates itself, so the browser does not. */
export function Form({ form, className = 'grid gap-4', ...rest }: FormProps) {
  return <form {...rest} noValidate className={className} onSubmit={form.handleSubmit} />
}

export interface SubmitProps extends Pick<ButtonProps, 'variant' | 'disabled' | 'ref'> {
  readonly form: FormStatus
  readonly label: string
  readonly busyLabel: string
  /** Shown between the message and the button. */
  readonly children?: ReactNode
}

/** The message of a form and its submit button, as wide as the form. */
export function Submit({ form, label, busyLabel, children, variant = 'primary', ...rest }: SubmitProps) {
  return (
    <>
      <FormAlert message={form.messages.form} />
      {children}
      <Button {...rest} variant={variant} type="submit" size="large" fullWidth busy={form.isBusy} busyLabel={busyLabel}>
        {label}
      </Button>
    </>
  )
}

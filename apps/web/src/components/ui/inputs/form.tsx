import type { ComponentProps, ReactNode } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import type { FormStatus } from '../hooks/use-form.ts'
import { FormAlert } from './form-alert.tsx'

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

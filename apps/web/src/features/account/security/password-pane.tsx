import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { Form, type FormMessages } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import {
  ConfirmationField,
  NewPasswordField,
  tooShortMessage,
} from '#/features/account/password-strength/new-password-fields.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { isWrongKey } from '#/lib/keys/password-keys.ts'
import { passwordStrings } from '#/strings/account/passwords.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { authSessionsQuery } from './security.queries.ts'
import { useSecurity } from './security-context.ts'

export function PasswordPane() {
  return (
    <Card aria-labelledby="password-heading">
      <CardHeading id="password-heading" title={securityStrings.passwordHeading} />
      <p className="mt-1 text-sm text-ink-2">{securityStrings.passwordIntro}</p>
      <PasswordForm />
    </Card>
  )
}

const emptyValues = { current: '', next: '', confirmation: '' }

function PasswordForm() {
  const { name, changePassword } = useSecurity()
  const call = useCall()
  const queries = useQueryClient()
  const [isDone, setDone] = useState(false)
  const form = useForm({
    initial: emptyValues,
    validate,
    async onSubmit(values) {
      setDone(false)
      await changePassword(values)
      form.setValues(emptyValues)
      setDone(true)
      await queries.invalidateQueries(authSessionsQuery(call))
    },
    failed: securityStrings.changeFailed,
    describeError: (error) => (isWrongKey(error) ? { current: securityStrings.wrongPassword } : undefined),
    onEdit() {
      form.setMessages({})
      setDone(false)
    },
  })
  const { next } = form.values

  return (
    <Form form={form} className="mt-4 grid max-w-form gap-4">
      <HiddenUsername name={name} />
      <PasswordField label={securityStrings.currentPassword} name="current-password" {...form.text('current')} />
      <NewPasswordField
        label={securityStrings.newPassword}
        name="new-password"
        userInputs={[name]}
        {...form.text('next')}
      />
      <ConfirmationField label={securityStrings.confirmPassword} password={next} {...form.text('confirmation')} />
      <FormAlert message={form.messages.form} />
      <FormAlert tone="seal" message={isDone ? securityStrings.changed : null} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={Object.values(form.values).includes('')}
        busy={form.isBusy}
        busyLabel={securityStrings.changing}
      >
        {securityStrings.changePassword}
      </Button>
    </Form>
  )
}

function validate({ next, confirmation }: typeof emptyValues): FormMessages<typeof emptyValues> | null {
  const tooShort = tooShortMessage(next)
  if (tooShort !== null) return { next: tooShort }
  return next === confirmation ? null : { confirmation: passwordStrings.mismatch }
}

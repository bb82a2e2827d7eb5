import { useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { Name } from '#/components/names/name.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { Form, type FormMessages } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { EmailField } from '#/components/ui/inputs/text-field.tsx'
import { normalizeTypedEmail } from '#/features/account/sign-in/identifier.ts'
import { authErrorCode } from '#/lib/api/auth-errors.ts'
import { isPasswordInvalid } from '#/lib/keys/is-password-invalid.ts'
import { emailChangeStrings } from '#/strings/account/email-change.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { useSecurity } from './security-context.ts'

const emptyValues = { email: '', password: '' }

/** Shows and changes the email address of the account. */
export function EmailPane() {
  const { name, changeEmail } = useSecurity()
  const [result, setResult] = useState<string | null>(null)
  const form = useForm({
    initial: emptyValues,
    validate: ({ email }) => validate(normalizeTypedEmail(email), name),
    async onSubmit(values) {
      const email = normalizeTypedEmail(values.email)
      const outcome = await changeEmail({ ...values, email })
      form.setValues(emptyValues)
      setResult(outcome === 'done' ? emailChangeStrings.done : emailChangeStrings.confirmation(email))
    },
    failed: emailChangeStrings.failed,
    describeError,
    onEdit: () => setResult(null),
  })

  return (
    <Card aria-labelledby="email-heading">
      <CardHeading id="email-heading" title={emailChangeStrings.heading} />
      <p className="mt-1 text-sm text-ink-2">
        {emailChangeStrings.signInName} <Name className="font-semibold text-ink wrap-anywhere">{name}</Name>
      </p>
      <Form form={form} className="mt-4 grid max-w-form gap-4">
        <HiddenUsername name={name} />
        <EmailField label={emailChangeStrings.newEmail} autoComplete="email" {...form.text('email')} />
        <PasswordField label={securityStrings.currentPassword} name="current-password" {...form.text('password')} />
        <FormAlert message={form.messages.form} />
        <FormAlert tone="seal" message={result} />
        <Button
          type="submit"
          className="justify-self-start"
          disabled={Object.values(form.values).includes('')}
          busy={form.isBusy}
          busyLabel={securityStrings.changing}
        >
          {emailChangeStrings.submit}
        </Button>
      </Form>
    </Card>
  )
}

function validate(email: string, current: string): FormMessages<typeof emptyValues> | null {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { email: emailChangeStrings.invalid }
  return email.toLowerCase() === current.toLowerCase() ? { email: emailChangeStrings.unchanged } : null
}

function describeError(error: unknown): FormMessages<typeof emptyValues> | undefined {
  if (isPasswordInvalid(error)) return { password: securityStrings.wrongPassword }
  return authErrorCode(error) === 'email_exists' ? { email: emailChangeStrings.taken } : undefined
}

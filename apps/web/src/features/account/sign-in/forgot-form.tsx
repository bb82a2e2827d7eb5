import { messageLimits } from '@sallyport/contract/limits'
import { useState } from 'react'
import { ResendButton } from '#/components/forms/resend-button.tsx'
import { useForm } from '#/components/forms/use-form.ts'
import { focusOnMount } from '#/components/ui/inputs/focus-on-mount.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { EmailField } from '#/components/ui/inputs/text-field.tsx'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { passwordResetStrings } from '#/strings/account/password-reset.ts'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { useAccounts } from '../accounts-context.ts'
import { normalizeTypedEmail } from './identifier.ts'

interface ForgotFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
}

/** Requests a password reset link. The response is the same whether or not the account exists. */
export function ForgotForm({ email, onEmailChange }: ForgotFormProps) {
  const { auth } = useAccounts().signInDeps
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    initial: {},
    async onSubmit() {
      const address = normalizeTypedEmail(email)
      await send(address)
      setSentTo(address)
    },
    failed: passwordResetStrings.failed,
  })

  async function send(address: string) {
    const provider = await auth.provider()
    unwrapAuthResponse(await provider.resetPasswordForEmail(address))
  }

  if (sentTo !== null) {
    return (
      <div className="grid gap-4">
        <h2 ref={focusOnMount} tabIndex={-1} className="heading text-2xl outline-none">
          {passwordResetStrings.sentTitle}
        </h2>
        <p role="status" className="text-sm text-ink-2 wrap-anywhere">
          {passwordResetStrings.sent(sentTo)}
        </p>
        <ResendButton
          label={signInStrings.resendEmail}
          sentLabel={signInStrings.emailSent}
          waitMs={messageLimits.betweenMessagesMs}
          startsWaiting
          onSend={() => send(sentTo)}
          failed={passwordResetStrings.failed}
        />
      </div>
    )
  }
  return (
    <Form form={form}>
      <h2 className="heading text-2xl">{passwordResetStrings.title}</h2>
      <p className="text-sm text-ink-2">{passwordResetStrings.explanation}</p>
      <EmailField ref={focusOnMount} value={email} onChange={(event) => onEmailChange(event.target.value)} />
      <Submit
        form={form}
        label={passwordResetStrings.button}
        busyLabel={passwordResetStrings.busy}
        disabled={email.trim() === ''}
      />
    </Form>
  )
}

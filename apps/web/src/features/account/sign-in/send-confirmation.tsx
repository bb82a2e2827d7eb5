import { messageLimits } from '@sallyport/contract/limits'
import type { GoTrueClient } from '@supabase/auth-js'
import { ResendButton } from '#/components/forms/resend-button.tsx'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { normalizeTypedEmail } from './identifier.ts'

interface SendConfirmationButtonProps {
  readonly loadProvider: () => Promise<GoTrueClient>
  readonly email: string
  readonly label?: string
  readonly sentLabel?: (secondsLeft: number) => string
  /** The first email was sent just now. */
  readonly startsWaiting?: boolean
  readonly disabled?: boolean
}

/** Button that sends the confirmation email again. */
export function SendConfirmationButton({
  loadProvider,
  email,
  label = signInStrings.resendEmail,
  sentLabel = signInStrings.emailSent,
  ...rest
}: SendConfirmationButtonProps) {
  async function send() {
    const provider = await loadProvider()
    unwrapAuthResponse(await provider.resend({ type: 'signup', email: normalizeTypedEmail(email) }))
  }

  return (
    <ResendButton
      {...rest}
      label={label}
      sentLabel={sentLabel}
      waitMs={messageLimits.betweenMessagesMs}
      onSend={send}
      failed={signInStrings.emailFailed}
    />
  )
}

import { messageLimits } from '@sallyport/contract/limits'
import { answerOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { SendAgain } from '#/ui/send-again.tsx'
import { signInWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'

interface SendConfirmationProps {
  readonly email: string
  /** The first mail has just gone out. */
  readonly startsWaiting?: boolean
}

/** Has the mail that confirms an address sent once more. */
export function SendConfirmation({ email, startsWaiting = false }: SendConfirmationProps) {
  const { auth } = useAccounts().enter

  async function send() {
    const provider = await auth.provider()
    answerOf(await provider.resend({ type: 'signup', email: email.trim().toLowerCase() }))
  }

  return (
    <SendAgain
      label={signInWords.sendMailAgain}
      sentLabel={signInWords.mailSent}
      startsWaiting={startsWaiting}
      waitMs={messageLimits.betweenMessagesMs}
      onSend={send}
      sayFailure={(error) => speak(error, signInWords.mailFailed)}
    />
  )
}

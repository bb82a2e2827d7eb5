import { messageLimits } from '@sallyport/contract/limits'
import { type FormEvent, useState } from 'react'
import { answerOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { SendAgain } from '#/ui/send-again.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { recoveryWords } from '#/words/recovery.ts'
import { signInWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'

interface ForgotFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
}

/** Asks for a link that sets a new password. The answer is the same whether there is such an account or not. */
export function ForgotForm({ email, onEmailChange }: ForgotFormProps) {
  const { auth } = useAccounts().enter
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { isBusy, failure, run } = useWork((error) => speak(error, recoveryWords.failed))

  async function send(address: string) {
    const provider = await auth.provider()
    answerOf(await provider.resetPasswordForEmail(address))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const address = email.trim().toLowerCase()
    void run(async () => {
      await send(address)
      setSentTo(address)
    })
  }

  if (sentTo !== null) {
    return (
      <div className="grid gap-4">
        <h2 className="heading text-2xl">{recoveryWords.sentTitle}</h2>
        <p role="status" className="text-sm text-ink-2 wrap-anywhere">
          {recoveryWords.sent(sentTo)}
        </p>
        <SendAgain
          label={signInWords.sendMailAgain}
          sentLabel={signInWords.mailSent}
          waitMs={messageLimits.betweenMessagesMs}
          startsWaiting
          onSend={() => send(sentTo)}
          sayFailure={(error) => speak(error, recoveryWords.failed)}
        />
      </div>
    )
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <h2 className="heading text-2xl">{recoveryWords.title}</h2>
      <p className="text-sm text-ink-2">{recoveryWords.explanation}</p>
      <TextField
        label={recoveryWords.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => onEmailChange(event.target.value)}
      />
      <FormAlert message={failure} />
      <Button
        type="submit"
        variant="primary"
        size="large"
        fullWidth
        disabled={email.trim() === ''}
        busy={isBusy}
        busyLabel={recoveryWords.busy}
      >
        {recoveryWords.button}
      </Button>
    </form>
  )
}

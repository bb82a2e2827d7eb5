import { messageLimits } from '@sallyport/contract/limits'
import { useState } from 'react'
import { useApi } from '#/api/api-context.ts'
import { answerOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { SendAgain } from '#/ui/send-again.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { confirmWords } from '#/words/confirm.ts'
import { signInWords } from '#/words/sign-in.ts'

/** The link does not say whose it was, so the address is asked for. */
export function NewLinkForm() {
  const { openPassingProvider } = useApi()
  const [email, setEmail] = useState('')

  async function send() {
    const provider = await openPassingProvider()
    answerOf(await provider.resend({ type: 'signup', email: email.trim().toLowerCase() }))
  }

  return (
    <div className="mt-4 grid w-full gap-3 border-t border-line pt-4 text-start">
      <TextField
        label={confirmWords.email}
        type="email"
        name="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SendAgain
        label={confirmWords.newLink}
        sentLabel={signInWords.mailSent}
        waitMs={messageLimits.betweenMessagesMs}
        disabled={email.trim() === ''}
        onSend={send}
        sayFailure={(error) => speak(error, signInWords.mailFailed)}
      />
    </div>
  )
}

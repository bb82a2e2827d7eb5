import { useState } from 'react'
import { EmailField } from '#/components/ui/inputs/text-field.tsx'
import { useApi } from '#/lib/api/api-context.ts'
import { confirmStrings } from '#/strings/account/confirm.ts'
import { SendConfirmationButton } from '../sign-in/send-confirmation.tsx'

/** Sends a new confirmation link. Asks for the email address, because the old link does not contain it. */
export function NewLinkForm() {
  const { createEphemeralAuthClient } = useApi()
  const [email, setEmail] = useState('')

  return (
    <div className="mt-4 grid w-full gap-3 border-t border-line pt-4 text-start">
      <EmailField autoComplete="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <SendConfirmationButton
        loadProvider={createEphemeralAuthClient}
        email={email}
        label={confirmStrings.newLink}
        sentLabel={confirmStrings.sentIfNeeded}
        disabled={email.trim() === ''}
      />
    </div>
  )
}

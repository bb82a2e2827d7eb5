import { serverClock } from '@sallyport/browser/server-clock'
import { messageLimits } from '@sallyport/contract/limits'
import { visibleName } from '#/components/names/visible-name.ts'
import { Button, TextButton } from '#/components/ui/button.tsx'
import { focusOnMount } from '#/components/ui/inputs/focus-on-mount.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { useAccounts } from '../accounts-context.ts'
import { SendConfirmationButton } from '../sign-in/send-confirmation.tsx'

interface CheckEmailProps {
  readonly email: string
  /** The organization whose seats are to be paid for after the next sign-in. */
  readonly organization?: string | undefined
  /** Epoch milliseconds. */
  readonly sentAt: number
  readonly onConfirmed: () => void
  readonly onChangeAddress: () => void
}

/** Asks to confirm the email address of a new account. */
export function CheckEmail({ email, organization, sentAt, onConfirmed, onChangeAddress }: CheckEmailProps) {
  const { auth } = useAccounts().signInDeps
  const startsWaiting = serverClock.now() < sentAt + messageLimits.betweenMessagesMs
  return (
    <div className="grid gap-4">
      <h2 ref={focusOnMount} tabIndex={-1} className="heading text-2xl outline-none">
        {signUpStrings.confirmTitle}
      </h2>
      <p role="status" className="text-sm text-ink-2">
        {signUpStrings.confirmFirst} <bdi className="font-semibold text-ink wrap-anywhere">{email}</bdi>.
      </p>
      <p className="text-sm text-ink-2">{signUpStrings.confirmHint}</p>
      {organization === undefined ? null : (
        <p className="text-sm text-ink-2 wrap-anywhere">{signUpStrings.teamWaits(visibleName(organization))}</p>
      )}
      <SendConfirmationButton loadProvider={auth.provider} email={email} startsWaiting={startsWaiting} />
      <Button variant="primary" size="large" fullWidth onClick={onConfirmed}>
        {signUpStrings.goToSignIn}
      </Button>
      <TextButton className="justify-self-start" onClick={onChangeAddress}>
        {signUpStrings.changeAddress}
      </TextButton>
    </div>
  )
}

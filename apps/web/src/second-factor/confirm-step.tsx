import { messageLimits, secondFactorLimits } from '@sallyport/contract/limits'
import { type FormEvent, useState } from 'react'
import { authCodeOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { FormAlert } from '#/ui/form-alert.tsx'
import { SendAgain } from '#/ui/send-again.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { secondFactorWords } from '#/words/second-factor.ts'
import { challengeFactor, type LoadProvider, type NewFactor, verifyFactor } from './factors.ts'

interface ConfirmStepProps {
  readonly factor: NewFactor
  readonly phone: string
  readonly challengeId: string | null
  readonly provider: LoadProvider
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** The first code: it shows that the app or the phone works before signing in depends on it. */
export function ConfirmStep({ factor, phone, provider, onDone, onCancel, ...first }: ConfirmStepProps) {
  const [challengeId, setChallengeId] = useState(first.challengeId)
  const [code, setCode] = useState('')
  const { isBusy, failure, run } = useWork(sayWrong)

  async function confirm() {
    const against = challengeId ?? (await challengeFactor(provider, factor.id))
    await verifyFactor(provider, { factorId: factor.id, challengeId: against, code })
    onDone()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(confirm)
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {factor.picture === null ? (
        <p className="text-sm text-ink-2">{secondFactorWords.enterTextCode(phone)}</p>
      ) : (
        <AppSecret {...factor} picture={factor.picture} />
      )}
      <TextField
        label={secondFactorWords.code}
        {...(factor.picture === null ? {} : { hint: secondFactorWords.enterFirstCode })}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        dir="ltr"
        maxLength={secondFactorLimits.codeDigits + 2}
        className="num"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <FormAlert message={failure} />
      {factor.picture === null ? (
        <SendAgain
          label={secondFactorWords.sendAgain}
          sentLabel={secondFactorWords.sentAgain}
          waitMs={messageLimits.betweenMessagesMs}
          startsWaiting
          onSend={async () => setChallengeId(await challengeFactor(provider, factor.id))}
          sayFailure={(error) => speak(error, secondFactorWords.sendFailed)}
        />
      ) : null}
      <div className="dialog-actions mt-0!">
        <Button onClick={onCancel}>{secondFactorWords.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={code.trim() === ''}
          busy={isBusy}
          busyLabel={secondFactorWords.turningOn}
        >
          {secondFactorWords.turnOn}
        </Button>
      </div>
    </form>
  )
}

const sayWrong = (error: unknown): string =>
  authCodeOf(error) === 'mfa_verification_failed'
    ? secondFactorWords.wrongCode
    : speak(error, secondFactorWords.enrolFailed)

interface AppSecretProps extends NewFactor {
  readonly picture: string
}

/** What an app needs: to be scanned, typed in, or opened on this very device. */
function AppSecret({ picture, secret, address }: AppSecretProps) {
  return (
    <>
      <p className="text-sm text-ink-2">{secondFactorWords.scan}</p>
      {/* Codes are read as dark on light, in a dark room too. */}
      <img
        src={picture}
        alt={secondFactorWords.qrName}
        width={184}
        height={184}
        className="justify-self-center rounded-control bg-white p-2 forced-color-adjust-none"
      />
      <div className="grid gap-2">
        <p className="text-xs font-semibold">{secondFactorWords.secret}</p>
        <p dir="ltr" className="num rounded-control bg-sunken px-3.5 py-2.5 tracking-wide break-all select-all">
          {secret}
        </p>
        <div className="flex flex-wrap gap-2">
          <CopyButton label={secondFactorWords.copySecret} onCopy={() => copyText(Promise.resolve(secret ?? ''))} />
          <CopyButton label={secondFactorWords.copyAddress} onCopy={() => copyText(Promise.resolve(address ?? ''))} />
        </div>
      </div>
    </>
  )
}

import { messageLimits, secondFactorLimits } from '@sallyport/contract/limits'
import { type FormEvent, useEffect, useState } from 'react'
import { authCodeOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { SendAgain } from '#/ui/send-again.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { secondFactorWords } from '#/words/second-factor.ts'
import { challengeFactor, type LoadProvider, listFactors, type StandingFactor, verifyFactor } from './factors.ts'

/** How a half signed-in person proves the rest. */
export interface SecondFactorWays {
  readonly provider: LoadProvider
  /** Takes a backup code in place of the second step, and makes the sign-in a whole one. */
  readonly redeemBackupCode: (code: string) => Promise<void>
}

interface SecondFactorChallengeProps {
  readonly ways: SecondFactorWays
  readonly onPassed: () => void
  readonly onGiveUp: () => void
  readonly giveUpLabel?: string
}

type Way = { readonly kind: 'backup' } | { readonly kind: 'factor'; readonly factor: StandingFactor }

/** Asks for the code of a second step: from an app, by text message, or a backup code. */
export function SecondFactorChallenge(props: SecondFactorChallengeProps) {
  const { ways, onGiveUp, giveUpLabel = secondFactorWords.giveUp } = props
  const [factors, setFactors] = useState<readonly StandingFactor[] | null>(null)
  const [way, setWay] = useState<Way | null>(null)

  useEffect(() => {
    let isCurrent = true
    // Without the list a backup code is still a way in.
    listFactors(ways.provider)
      .catch(() => [])
      .then((listed) => {
        if (!isCurrent) return
        const [first] = listed
        setFactors(listed)
        setWay(first ? { kind: 'factor', factor: first } : { kind: 'backup' })
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [ways])

  const others = factors?.filter(({ id }) => way?.kind !== 'factor' || way.factor.id !== id) ?? []
  return (
    <div className="grid gap-4">
      <h2 className="heading text-2xl">{secondFactorWords.title}</h2>
      {way === null ? (
        <Skeleton className="h-40" />
      ) : (
        <CodeForm key={way.kind === 'factor' ? way.factor.id : 'backup'} {...props} way={way} />
      )}
      <fieldset className="-ms-3 grid justify-items-start gap-1 ps-0">
        <legend className="sr-only">{secondFactorWords.otherWays}</legend>
        {others.map((factor) => (
          <Button key={factor.id} variant="quiet" size="compact" onClick={() => setWay({ kind: 'factor', factor })}>
            {secondFactorWords.byFactor(factor.name)}
          </Button>
        ))}
        {way?.kind === 'factor' ? (
          <Button variant="quiet" size="compact" onClick={() => setWay({ kind: 'backup' })}>
            {secondFactorWords.byBackupCode}
          </Button>
        ) : null}
        <Button variant="quiet" size="compact" onClick={onGiveUp}>
          {giveUpLabel}
        </Button>
      </fieldset>
    </div>
  )
}

interface CodeFormProps extends SecondFactorChallengeProps {
  readonly way: Way
}

function CodeForm({ ways, way, onPassed }: CodeFormProps) {
  const factor = way.kind === 'factor' ? way.factor : null
  const [code, setCode] = useState('')
  const { isBusy, failure, setFailure, run } = useWork(sayWrong)
  const [challengeId, setChallengeId] = useState<string | null>(null)
  const isPhone = factor?.kind === 'phone'

  async function send() {
    if (factor) setChallengeId(await challengeFactor(ways.provider, factor.id))
  }

  useEffect(() => {
    if (!isPhone || !factor) return
    challengeFactor(ways.provider, factor.id).then(setChallengeId, (error: unknown) =>
      setFailure(speak(error, secondFactorWords.sendFailed)),
    )
  }, [isPhone, factor, ways, setFailure])

  async function verify() {
    if (factor) {
      // An app's challenge is opened with the press, so that it cannot run out while somebody looks for the phone.
      const against = isPhone && challengeId ? challengeId : await challengeFactor(ways.provider, factor.id)
      await verifyFactor(ways.provider, { factorId: factor.id, challengeId: against, code })
    } else {
      await ways.redeemBackupCode(code.trim())
    }
    onPassed()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!(await run(verify))) setCode('')
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <p className="text-sm text-ink-2">{explain(factor)}</p>
      <TextField
        ref={takeFocus}
        label={factor ? secondFactorWords.code : secondFactorWords.backupCode}
        name="code"
        autoComplete={factor ? 'one-time-code' : 'off'}
        inputMode={factor ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={factor ? secondFactorLimits.codeDigits + 2 : 32}
        className="num"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <FormAlert message={failure} />
      <Button
        type="submit"
        variant="primary"
        size="large"
        fullWidth
        disabled={code.trim() === ''}
        busy={isBusy}
        busyLabel={secondFactorWords.verifying}
      >
        {secondFactorWords.verify}
      </Button>
      {isPhone ? (
        <SendAgain
          label={secondFactorWords.sendAgain}
          sentLabel={secondFactorWords.sentAgain}
          waitMs={messageLimits.betweenMessagesMs}
          startsWaiting
          onSend={send}
          sayFailure={(error) => speak(error, secondFactorWords.sendFailed)}
        />
      ) : null}
    </form>
  )
}

function explain(factor: StandingFactor | null): string {
  if (!factor) return secondFactorWords.backupExplanation
  if (factor.kind === 'totp') return secondFactorWords.appExplanation
  return secondFactorWords.phoneExplanation(hidePhone(factor.phone))
}

/** Enough of a number to know it by. */
const hidePhone = (phone: string): string =>
  phone.length > 4 ? `•••• ${phone.slice(-3)}` : secondFactorWords.yourPhone

function sayWrong(error: unknown): string {
  if (authCodeOf(error) === 'mfa_verification_failed') return secondFactorWords.wrongCode
  return speak(error, secondFactorWords.failed)
}

/** For a field that the person has just been led to. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus()
}

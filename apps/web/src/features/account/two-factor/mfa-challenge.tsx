import { messageLimits, mfaLimits } from '@sallyport/contract/limits'
import { useEffect, useEffectEvent, useState } from 'react'
import { ResendButton } from '#/components/forms/resend-button.tsx'
import { useForm } from '#/components/forms/use-form.ts'
import { nameInSentence } from '#/components/names/visible-text.ts'
import { Button } from '#/components/ui/button.tsx'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { authErrorCode } from '#/lib/api/auth-errors.ts'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { challengeFactor, type LoadProvider, listFactors, type VerifiedFactor, verifyFactor } from './factors.ts'

/** What the MFA challenge needs to verify a code. */
export interface MfaChallengeDeps {
  readonly provider: LoadProvider
  /** Uses a backup code in place of a factor and completes the sign-in. */
  readonly redeemBackupCode: (code: string) => Promise<void>
}

interface MfaChallengeProps {
  readonly deps: MfaChallengeDeps
  readonly onVerified: () => void
  readonly onCancel: () => void
  readonly cancelLabel?: string
}

type MfaMethod = { readonly kind: 'backup' } | { readonly kind: 'factor'; readonly factor: VerifiedFactor }

/** Asks for a two-factor code: from an authenticator app, by text message, or a backup code. */
export function SecondFactorChallenge(props: MfaChallengeProps) {
  const { deps, onCancel, cancelLabel = mfaStrings.backToSignIn } = props
  const [factors, setFactors] = useState<readonly VerifiedFactor[] | null>(null)
  const [method, setMethod] = useState<MfaMethod | null>(null)

  useEffect(() => {
    let isCurrent = true
    // Without the list of factors a backup code still works.
    listFactors(deps.provider)
      .catch(() => [])
      .then((listed) => {
        if (!isCurrent) return
        const [first] = listed
        setFactors(listed)
        setMethod(first ? { kind: 'factor', factor: first } : { kind: 'backup' })
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [deps])

  const otherFactors = factors?.filter(({ id }) => method?.kind !== 'factor' || method.factor.id !== id) ?? []
  return (
    <div className="grid gap-4">
      <h2 className="heading text-2xl">{mfaStrings.title}</h2>
      {method === null ? (
        <Skeleton className="h-40" />
      ) : (
        <CodeForm key={method.kind === 'factor' ? method.factor.id : 'backup'} {...props} method={method} />
      )}
      <fieldset className="-ms-3 grid justify-items-start gap-1 ps-0">
        <legend className="sr-only">{mfaStrings.otherMethods}</legend>
        {otherFactors.map((factor) => (
          <Button key={factor.id} variant="quiet" size="compact" onClick={() => setMethod({ kind: 'factor', factor })}>
            {mfaStrings.byFactor(nameInSentence(factor.name))}
          </Button>
        ))}
        {method?.kind === 'factor' ? (
          <Button variant="quiet" size="compact" onClick={() => setMethod({ kind: 'backup' })}>
            {mfaStrings.byBackupCode}
          </Button>
        ) : null}
        <Button variant="quiet" size="compact" onClick={onCancel}>
          {cancelLabel}
        </Button>
      </fieldset>
    </div>
  )
}

interface CodeFormProps extends MfaChallengeProps {
  readonly method: MfaMethod
}

function CodeForm({ deps, method, onVerified }: CodeFormProps) {
  const factor = method.kind === 'factor' ? method.factor : null
  const [challengeId, setChallengeId] = useState<string | null>(null)
  const isPhone = factor?.kind === 'phone'
  const form = useForm({
    initial: { code: '' },
    async onSubmit({ code }) {
      try {
        await verify(code)
      } catch (error) {
        form.setValue('code', '')
        throw error
      }
      onVerified()
    },
    failed: mfaStrings.failed,
    describeError: describeVerifyError,
  })
  const [sending, setSending] = useState<'started' | 'sent' | 'failed'>('started')
  const reportFailure = useEffectEvent((error: unknown) => {
    form.setMessages({ form: messageFor(error, mfaStrings.sendFailed) })
    setSending('failed')
  })

  async function send() {
    if (!factor) return
    setChallengeId(await challengeFactor(deps.provider, factor.id))
    form.setMessages({})
  }

  useEffect(() => {
    if (!isPhone || !factor) return
    challengeFactor(deps.provider, factor.id).then((id) => {
      setChallengeId(id)
      setSending('sent')
    }, reportFailure)
  }, [isPhone, factor, deps])

  async function verify(code: string) {
    if (!factor) return deps.redeemBackupCode(code.trim())
    // The challenge for an app is created on submit, so that it cannot expire while the user looks for the phone.
    const verifiedChallengeId = isPhone && challengeId ? challengeId : await challengeFactor(deps.provider, factor.id)
    await verifyFactor(deps.provider, { factorId: factor.id, challengeId: verifiedChallengeId, code })
  }

  return (
    <Form form={form}>
      {isPhone && sending !== 'sent' ? null : <p className="text-sm text-ink-2">{methodExplanation(factor)}</p>}
      <TextField
        ref={focusOnMount}
        label={factor ? mfaStrings.code : mfaStrings.backupCode}
        name="code"
        autoComplete={factor ? 'one-time-code' : 'off'}
        inputMode={factor ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={factor ? mfaLimits.codeDigits + 2 : mfaLimits.typedBackupCodeCharacters}
        className="num"
        {...form.text('code')}
      />
      <Submit
        form={form}
        label={mfaStrings.verify}
        busyLabel={mfaStrings.verifying}
        disabled={form.values.code.trim() === ''}
      />
      {isPhone && sending !== 'started' ? (
        <ResendCode key={sending} startsWaiting={sending === 'sent'} onSend={send} />
      ) : null}
    </Form>
  )
}

interface ResendCodeProps {
  /** Whether the first code was sent just now. */
  readonly startsWaiting?: boolean
  readonly onSend: () => Promise<void>
}

/** Sends a code as a text message again. */
export const ResendCode = ({ startsWaiting = true, onSend }: ResendCodeProps) => (
  <ResendButton
    label={mfaStrings.resend}
    sentLabel={mfaStrings.resent}
    waitMs={messageLimits.betweenMessagesMs}
    startsWaiting={startsWaiting}
    onSend={onSend}
    failed={mfaStrings.sendFailed}
  />
)

function methodExplanation(factor: VerifiedFactor | null): string {
  if (!factor) return mfaStrings.backupExplanation
  if (factor.kind === 'totp') return mfaStrings.appExplanation
  return mfaStrings.phoneExplanation(maskPhone(factor.phone))
}

/** Masks a phone number except for its last three digits. */
const maskPhone = (phone: string): string => (phone.length > 4 ? `•••• ${phone.slice(-3)}` : mfaStrings.yourPhone)

export const describeVerifyError = (error: unknown): string | undefined =>
  authErrorCode(error) === 'mfa_verification_failed' ? mfaStrings.wrongCode : undefined

/** Focuses the field when it is mounted. */
function focusOnMount(input: HTMLInputElement | null): void {
  input?.focus()
}

import { mfaLimits } from '@sallyport/contract/limits'
import { useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { buttonClass } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { challengeFactor, type LoadProvider, type NewFactor, verifyFactor } from './factors.ts'
import { describeVerifyError, ResendCode } from './mfa-challenge.tsx'

interface ConfirmStepProps {
  readonly factor: NewFactor
  readonly phone: string
  readonly challengeId: string | null
  readonly provider: LoadProvider
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Asks for the first code, which proves that the app or phone works before sign-in depends on it. */
export function ConfirmStep({ factor, phone, provider, onDone, onCancel, ...initial }: ConfirmStepProps) {
  const [challengeId, setChallengeId] = useState(initial.challengeId)
  const form = useForm({
    initial: { code: '' },
    async onSubmit({ code }) {
      const currentChallengeId = challengeId ?? (await challengeFactor(provider, factor.id))
      await verifyFactor(provider, { factorId: factor.id, challengeId: currentChallengeId, code })
      onDone()
    },
    failed: mfaStrings.enrolFailed,
    describeError: describeVerifyError,
  })

  return (
    <Form form={form}>
      {factor.qrCode === null ? (
        <p className="text-sm text-ink-2">{mfaStrings.enterTextCode(phone)}</p>
      ) : (
        <AppSecret {...factor} qrCode={factor.qrCode} />
      )}
      <TextField
        label={mfaStrings.code}
        {...(factor.qrCode === null ? {} : { hint: mfaStrings.enterFirstCode })}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        dir="ltr"
        maxLength={mfaLimits.codeDigits + 2}
        className="num"
        {...form.text('code')}
      />
      <DialogSubmit
        form={form}
        label={mfaStrings.turnOn}
        busyLabel={mfaStrings.turningOn}
        disabled={form.values.code.trim() === ''}
        onCancel={onCancel}
      >
        {factor.qrCode === null ? (
          <ResendCode onSend={async () => setChallengeId(await challengeFactor(provider, factor.id))} />
        ) : null}
      </DialogSubmit>
    </Form>
  )
}

interface AppSecretProps extends NewFactor {
  readonly qrCode: string
}

/** The TOTP secret as a QR code to scan, as text to type, and as an address to open on this device. */
function AppSecret({ qrCode, secret, address }: AppSecretProps) {
  return (
    <>
      <p className="text-sm text-ink-2">{mfaStrings.scan}</p>
      {/* Scanners expect dark on light, in the dark theme too. */}
      <img
        src={qrCode}
        alt={mfaStrings.qrName}
        width={184}
        height={184}
        className="justify-self-center rounded-control bg-white p-2 forced-color-adjust-none"
      />
      <div className="grid gap-2">
        <p className="text-xs font-semibold">{mfaStrings.secret}</p>
        <p dir="ltr" className="num rounded-control bg-sunken px-3.5 py-2.5 tracking-wide break-all select-all">
          {secret?.match(/.{1,4}/g)?.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move, and two may be equal.
            <span key={index} className="me-2 inline-block">
              {group}
            </span>
          ))}
        </p>
        <div className="flex flex-wrap gap-2">
          <CopyButton label={mfaStrings.copySecret} onCopy={() => copyText(Promise.resolve(secret ?? ''))} />
          {address?.startsWith('otpauth://totp/') ? (
            <a href={address} className={classNames(buttonClass('secondary', 'compact'), 'pointer-fine:hidden')}>
              {mfaStrings.openApp}
            </a>
          ) : null}
          <CopyButton label={mfaStrings.copyAddress} onCopy={() => copyText(Promise.resolve(address ?? ''))} />
        </div>
      </div>
    </>
  )
}

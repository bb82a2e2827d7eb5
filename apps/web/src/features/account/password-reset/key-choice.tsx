import type { FormState } from '#/components/forms/use-form.ts'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { RecoveryKeyGroups, recoveryKeyGroups } from '#/features/account/security/recovery-key-groups.tsx'
import { setPasswordStrings } from '#/strings/account/set-password.ts'
import type { AccountKeyStatus } from './recovery.ts'

export interface SetPasswordValues {
  readonly hasKey: boolean
  readonly recoveryKey: string
  readonly acceptsLoss: boolean
  readonly password: string
  readonly confirmation: string
}

/** How to recover: keep the account key with the recovery key, replace it and lose old data, or create the first one. */
type RecoveryMode = 'recovery-key' | 'loss' | 'first-key'

export function recoveryModeFor(
  { hasKeys, hasRecoveryKey }: AccountKeyStatus,
  { hasKey }: SetPasswordValues,
): RecoveryMode {
  if (!hasKeys) return 'first-key'
  return hasRecoveryKey && hasKey ? 'recovery-key' : 'loss'
}

/** Whether there is something to lose, as far as is known. */
const hasFiles = ({ fileCount }: AccountKeyStatus): boolean => fileCount !== 0

/** The message for a missing input; null if the form is complete. */
export function missingInputMessage(keyStatus: AccountKeyStatus, values: SetPasswordValues): string | null {
  const mode = recoveryModeFor(keyStatus, values)
  if (mode === 'recovery-key' && values.recoveryKey.trim() === '') return setPasswordStrings.recoveryKeyMissing
  return mode === 'loss' && hasFiles(keyStatus) && !values.acceptsLoss ? setPasswordStrings.acceptLossRequired : null
}

interface KeyChoiceFieldsProps {
  readonly keyStatus: AccountKeyStatus
  readonly form: FormState<SetPasswordValues>
}

/** Asks for the recovery key if the account has one, and warns about what is lost without it. */
export function KeyChoiceFields({ keyStatus, form }: KeyChoiceFieldsProps) {
  const mode = recoveryModeFor(keyStatus, form.values)
  if (mode === 'first-key') return null
  return (
    <div className="grid gap-4">
      {keyStatus.hasRecoveryKey ? (
        <fieldset className="grid gap-1">
          <legend className="mb-1.5 text-xs font-semibold">{setPasswordStrings.recoveryChoice}</legend>
          <KeyChoiceRadio
            label={setPasswordStrings.withKey}
            isChosen={form.values.hasKey}
            onChoose={() => form.setValue('hasKey', true)}
          />
          <KeyChoiceRadio
            label={setPasswordStrings.withoutKey}
            isChosen={!form.values.hasKey}
            onChoose={() => form.setValue('hasKey', false)}
          />
        </fieldset>
      ) : null}
      {mode === 'recovery-key' ? (
        <div className="grid gap-2.5">
          <TextField
            label={setPasswordStrings.recoveryKey}
            hint={`${setPasswordStrings.withKeyHint} ${setPasswordStrings.recoveryKeyHint}`}
            name="recoveryKey"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            className="num"
            {...form.text('recoveryKey')}
          />
          <RecoveryKeyGroups groups={recoveryKeyGroups(form.values.recoveryKey)} />
        </div>
      ) : (
        <div className="grid gap-3 rounded-control border border-soft-border bg-brass-soft px-3.5 py-3 text-brass-ink">
          <div>
            <p className="text-sm font-semibold">{setPasswordStrings.lossTitle}</p>
            <p className="mt-1 text-sm">
              {keyStatus.fileCount === null
                ? setPasswordStrings.lossUnknown
                : setPasswordStrings.loss(keyStatus.fileCount)}
            </p>
          </div>
          {hasFiles(keyStatus) ? (
            <Checkbox label={setPasswordStrings.acceptLoss} {...form.checkbox('acceptsLoss')} />
          ) : null}
        </div>
      )}
    </div>
  )
}

interface KeyChoiceRadioProps {
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function KeyChoiceRadio({ label, isChosen, onChoose }: KeyChoiceRadioProps) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11">
      <input type="radio" name="way" checked={isChosen} className="size-5 accent-(--primary)" onChange={onChoose} />
      {label}
    </label>
  )
}

import { Checkbox } from '#/ui/checkbox.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { setPasswordWords } from '#/words/set-password.ts'
import type { Stakes } from './recovery.ts'

export interface KeyChoice {
  readonly hasKey: boolean
  readonly recoveryKey: string
  readonly acceptsLoss: boolean
}

/** How the account goes on: with the key it has, with a new one that opens nothing old, or with its very first. */
export type WayOn = 'recovery-key' | 'loss' | 'first-key'

export function wayOnFor({ hasKeys, hasRecoveryKey }: Stakes, { hasKey }: KeyChoice): WayOn {
  if (!hasKeys) return 'first-key'
  return hasRecoveryKey && hasKey ? 'recovery-key' : 'loss'
}

/** What is still to be given before the password can be set; null for nothing. */
export function missingOf(wayOn: WayOn, { recoveryKey, acceptsLoss }: KeyChoice): string | null {
  if (wayOn === 'recovery-key' && recoveryKey.trim() === '') return setPasswordWords.recoveryKeyMissing
  return wayOn === 'loss' && !acceptsLoss ? setPasswordWords.acceptNeeded : null
}

interface KeyChoiceFieldsProps {
  readonly stakes: Stakes
  readonly wayOn: WayOn
  readonly choice: KeyChoice
  readonly onChange: (choice: KeyChoice) => void
}

/** Asks for the recovery key where there is one, and says what is lost without it. */
export function KeyChoiceFields({ stakes, wayOn, choice, onChange }: KeyChoiceFieldsProps) {
  if (wayOn === 'first-key') return null
  return (
    <div className="grid gap-4">
      {stakes.hasRecoveryKey ? (
        <fieldset className="grid gap-1">
          <legend className="mb-1.5 text-xs font-semibold">{setPasswordWords.way}</legend>
          <Way
            label={setPasswordWords.withKey}
            isChosen={choice.hasKey}
            onChoose={() => onChange({ ...choice, hasKey: true })}
          />
          <Way
            label={setPasswordWords.withoutKey}
            isChosen={!choice.hasKey}
            onChoose={() => onChange({ ...choice, hasKey: false })}
          />
        </fieldset>
      ) : null}
      {wayOn === 'recovery-key' ? (
        <TextField
          label={setPasswordWords.recoveryKey}
          hint={`${setPasswordWords.withKeyHint} ${setPasswordWords.recoveryKeyHint}`}
          name="recoveryKey"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
          className="num"
          value={choice.recoveryKey}
          onChange={(event) => onChange({ ...choice, recoveryKey: event.target.value })}
        />
      ) : (
        <Loss
          fileCount={stakes.fileCount}
          isAccepted={choice.acceptsLoss}
          onAccept={(acceptsLoss) => onChange({ ...choice, acceptsLoss })}
        />
      )}
    </div>
  )
}

interface WayProps {
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Way({ label, isChosen, onChoose }: WayProps) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11">
      <input type="radio" name="way" checked={isChosen} className="size-5 accent-(--primary)" onChange={onChoose} />
      {label}
    </label>
  )
}

interface LossProps {
  readonly fileCount: number | null
  readonly isAccepted: boolean
  readonly onAccept: (isAccepted: boolean) => void
}

function Loss({ fileCount, isAccepted, onAccept }: LossProps) {
  return (
    <div className="grid gap-3 rounded-control border border-soft-border bg-brass-soft px-3.5 py-3 text-brass-ink">
      <div>
        <p className="text-sm font-semibold">{setPasswordWords.lossTitle}</p>
        <p className="mt-1 text-sm">
          {fileCount === null ? setPasswordWords.lossUnknown : setPasswordWords.loss(fileCount)}
        </p>
      </div>
      <Checkbox
        label={setPasswordWords.acceptLoss}
        checked={isAccepted}
        onChange={(event) => onAccept(event.target.checked)}
      />
    </div>
  )
}

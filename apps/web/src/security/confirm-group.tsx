import { type FormEvent, useState } from 'react'
import { speak } from '#/api/failure.ts'
import type { NewRecoveryKey } from '#/keys/recovery-key.ts'
import { useProofGuard } from '#/passwords/use-proof-guard.tsx'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { securityWords } from '#/words/security.ts'

interface ConfirmGroupProps {
  readonly recoveryKey: NewRecoveryKey
  readonly onDone: () => void
  readonly onBack: () => void
}

/** Asks for one group of the key, another one each time, and takes the key into use when it is right. */
export function ConfirmGroup({ recoveryKey, onDone, onBack }: ConfirmGroupProps) {
  const { groups, takeIntoUse } = recoveryKey
  const [index] = useState(() => pickOne(groups.length))
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { isBusy, failure, setFailure, run } = useWork((error) => speak(error, securityWords.takeFailed))

  const { guard, proofDialog } = useProofGuard()

  async function confirm() {
    await guard(takeIntoUse)
    onDone()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const isRight = asTyped(typed) === groups[index]
    setWrong(!isRight)
    setFailure(null)
    if (isRight) void run(confirm)
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-ink-2">{securityWords.confirmQuestion(index + 1)}</p>
      <TextField
        ref={takeFocus}
        label={securityWords.group(index + 1)}
        name="group"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        maxLength={8}
        className="num tracking-wider"
        value={typed}
        error={isWrong ? securityWords.groupWrong : null}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
      />
      <FormAlert message={failure} />
      <div className="dialog-actions mt-0!">
        <Button onClick={onBack}>{securityWords.back}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={typed.trim() === ''}
          busy={isBusy}
          busyLabel={securityWords.takingIntoUse}
        >
          {securityWords.takeIntoUse}
        </Button>
      </div>
      {proofDialog}
    </form>
  )
}

/** The same slips are forgiven as where the key is used: case, blanks, and letters that look like digits. */
const asTyped = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')

const pickOne = (count: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % count

/** The step has only this field, and its dialog was open before. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus()
}

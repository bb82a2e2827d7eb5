import { useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { useReauthGuard } from '#/features/account/password-strength/use-reauth-guard.tsx'
import type { NewRecoveryKey } from '#/lib/keys/recovery-key.ts'
import { securityStrings } from '#/strings/account/security.ts'

interface ConfirmGroupProps {
  readonly recoveryKey: NewRecoveryKey
  readonly onDone: () => void
  readonly onBack: () => void
}

/** Asks for one random group of the recovery key and activates the key when the input matches. */
export function ConfirmGroup({ recoveryKey, onDone, onBack }: ConfirmGroupProps) {
  const { groups, activate } = recoveryKey
  const [index] = useState(() => randomIndex(groups.length))
  const { guard, reauthDialog } = useReauthGuard()
  const form = useForm({
    initial: { group: '' },
    validate: ({ group }) => (normalizeGroup(group) === groups[index] ? null : { group: securityStrings.groupWrong }),
    async onSubmit() {
      await guard(activate)
      onDone()
    },
    failed: securityStrings.confirmFailed,
  })

  return (
    <Form form={form}>
      <p className="text-sm text-ink-2">{securityStrings.confirmQuestion(index + 1)}</p>
      <TextField
        ref={focusOnMount}
        label={securityStrings.group(index + 1)}
        name="group"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        maxLength={8}
        className="num tracking-wider"
        {...form.text('group')}
      />
      <DialogSubmit
        form={form}
        label={securityStrings.confirm}
        busyLabel={securityStrings.confirming}
        disabled={form.values.group.trim() === ''}
        cancelLabel={securityStrings.back}
        onCancel={onBack}
      />
      {reauthDialog}
    </Form>
  )
}

/** Normalizes input like the recovery form does: case, blanks, and letters that look like digits. */
const normalizeGroup = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')

const randomIndex = (count: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % count

/** Focuses the only field of this step; the dialog was already open, so it does not move the focus itself. */
function focusOnMount(input: HTMLInputElement | null): void {
  input?.focus()
}

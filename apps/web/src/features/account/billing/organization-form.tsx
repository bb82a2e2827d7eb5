import { organizationLimits } from '@sallyport/contract/limits'
import type { KeyboardEvent } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { isEnter } from '#/components/ui/inputs/is-enter.ts'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { upgradeStrings } from '#/strings/account/upgrade.ts'

interface OrganizationFormProps {
  readonly onCancel: () => void
  readonly onSubmit: (name: string) => Promise<unknown>
}

/** Asks for the name of the organization. */
export function OrganizationForm({ onCancel, onSubmit }: OrganizationFormProps) {
  const form = useForm({
    initial: { name: '' },
    onSubmit: ({ name }) => onSubmit(name.trim()),
    failed: upgradeStrings.checkoutFailedUnknown,
  })
  const isEmpty = form.values.name.trim() === ''

  /** Enter does not submit a form whose button is disabled; shows the error instead. */
  function handleEnter(event: KeyboardEvent) {
    if (isEnter(event)) form.setMessages(isEmpty ? { name: upgradeStrings.organizationMissing } : {})
  }

  return (
    <Form form={form} className="grid gap-5">
      <TextField
        label={upgradeStrings.organizationName}
        name="organization"
        autoComplete="organization"
        required
        maxLength={organizationLimits.nameCharacters}
        onKeyDown={handleEnter}
        {...form.text('name')}
      />
      <DialogSubmit
        form={form}
        label={upgradeStrings.checkout}
        busyLabel={upgradeStrings.creating}
        disabled={isEmpty}
        onCancel={onCancel}
      />
    </Form>
  )
}

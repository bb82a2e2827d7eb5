import { invitations } from '@sallyport/contract/invitations'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from '#/components/forms/use-form.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'

/** Adds the licence of a key to the account that is signed in. */
export function ClaimKeyForm({ onClaimed }: { readonly onClaimed: () => void }) {
  const call = useCall()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useForm({
    initial: { licenseKey: '' },
    async onSubmit({ licenseKey }) {
      await call(invitations.claim, { body: { licenseKey: licenseKey.trim() } })
      await queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey })
      toast({ text: upgradeStrings.keyAdded })
      onClaimed()
    },
    failed: upgradeStrings.keyFailed,
    onEdit: () => form.setMessages({}),
  })
  return (
    <Form form={form} className="mt-3 grid max-w-form gap-3">
      <TextField
        label={upgradeStrings.licenceKey}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        {...form.text('licenseKey')}
      />
      <Submit
        form={form}
        label={upgradeStrings.addKey}
        busyLabel={upgradeStrings.addingKey}
        disabled={form.values.licenseKey.trim() === ''}
      />
    </Form>
  )
}

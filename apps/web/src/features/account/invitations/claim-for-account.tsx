import { invitations } from '@sallyport/contract/invitations'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from '#/components/forms/use-form.ts'
import { Name } from '#/components/names/name.tsx'
import { TextButton } from '#/components/ui/button.tsx'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { type Account, accountName } from '#/lib/api/auth.ts'
import { inviteStrings } from '#/strings/account/invitations.ts'

interface ClaimForAccountProps {
  readonly account: Account
  readonly token: string
  readonly onClaimed: () => void
  readonly onOtherAccount: () => void
}

/** Adds the licence of the invitation to the account that is signed in. */
export function ClaimForAccount({ account, token, onClaimed, onOtherAccount }: ClaimForAccountProps) {
  const call = useCall()
  const queries = useQueryClient()
  const form = useForm({
    initial: {},
    async onSubmit() {
      await call(invitations.claim, { body: { magicToken: token } })
      await queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey })
      onClaimed()
    },
    failed: inviteStrings.claimFailed,
  })
  return (
    <Form form={form}>
      <p className="text-sm text-ink-2">
        {inviteStrings.claimFor} <Name className="font-semibold text-ink wrap-anywhere">{accountName(account)}</Name>
      </p>
      <Submit form={form} label={inviteStrings.claim} busyLabel={inviteStrings.claiming} />
      <TextButton className="justify-self-center" onClick={onOtherAccount}>
        {inviteStrings.otherAccount}
      </TextButton>
    </Form>
  )
}

import { serverClock } from '@sallyport/browser/server-clock'
import { organizationLimits } from '@sallyport/contract/limits'
import { organizations, type PendingInvitation } from '@sallyport/contract/organizations'
import { useState } from 'react'
import { Name } from '#/components/names/name.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmMutationDialog } from '#/components/ui/overlays/confirm-mutation-dialog.tsx'
import { useNow } from '#/lib/use-now.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'

interface InvitationsSectionProps {
  readonly invitations: readonly PendingInvitation[]
  /** Whether there are seats to invite people to. */
  readonly canSend: boolean
  readonly canClear: boolean
}

/** The invitations that were not accepted, which can be sent again or cleared. */
export function InvitationsSection({ invitations, canSend, canClear }: InvitationsSectionProps) {
  const [isClearing, setClearing] = useState(false)
  return (
    <Card aria-labelledby="invitations-heading">
      <CardHeading id="invitations-heading" title={organizationStrings.invitationsHeading}>
        {canClear ? (
          <Button size="compact" onClick={() => setClearing(true)}>
            {organizationStrings.clearAll}
          </Button>
        ) : null}
      </CardHeading>
      {invitations.length === 0 ? (
        <p className="mt-3 text-sm text-ink-2">{organizationStrings.noInvitations}</p>
      ) : (
        <ul className="mt-3 grid">
          {invitations.map((invitation) => (
            <Invitation key={invitation.id} invitation={invitation} canSend={canSend} />
          ))}
        </ul>
      )}
      <ClearDialog
        count={
          invitations.filter(({ abilities, expires_at }) => abilities.manage && expires_at > serverClock.now()).length
        }
        open={isClearing}
        onClose={() => setClearing(false)}
      />
    </Card>
  )
}

const refreshMs = 5000

interface InvitationProps extends Pick<InvitationsSectionProps, 'canSend'> {
  readonly invitation: PendingInvitation
}

function Invitation({ invitation, canSend }: InvitationProps) {
  const { id, email, role, sent_at, expires_at, abilities } = invitation
  useNow(refreshMs)
  const now = serverClock.now()
  const resending = useOrganizationChange((call) => call(organizations.resendInvitation, { body: { email } }))
  const clearing = useOrganizationChange((call) => call(organizations.clearInvitation, { params: { id } }))
  const error = resending.error ?? clearing.error
  const fallback = resending.error ? organizationStrings.resendFailed : organizationStrings.clearFailed
  const isExpired = expires_at <= now

  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-t-0 md:grid-cols-[1fr_auto] md:items-center">
      <div className="min-w-0">
        <Name className="block truncate text-sm font-semibold">{email}</Name>
        <p className="text-xs text-ink-2">
          {organizationStrings.roles[role]} ·{' '}
          {isExpired ? organizationStrings.expired : organizationStrings.expires(formatDate(expires_at))}
        </p>
      </div>
      {abilities.manage ? (
        <div className="flex flex-wrap gap-2">
          {isExpired || !canSend ? null : (
            <CopyButton
              label={organizationStrings.copyLink}
              subject={email}
              onCopy={() => copyText(Promise.resolve(`${location.origin}/accept-invite/i.${id}`))}
            />
          )}
          {canSend ? (
            <Button
              size="compact"
              aria-label={organizationStrings.resendTo(email)}
              busy={resending.isPending}
              busyLabel={organizationStrings.resending}
              disabled={now < sent_at + organizationLimits.resendAfterMs}
              onClick={() => resending.mutate()}
            >
              {organizationStrings.resend}
            </Button>
          ) : null}
          <Button
            size="compact"
            aria-label={organizationStrings.clearOf(email)}
            busy={clearing.isPending}
            busyLabel={organizationStrings.clearing}
            onClick={() => clearing.mutate()}
          >
            {organizationStrings.clear}
          </Button>
        </div>
      ) : null}
      {error ? (
        <div className="md:col-span-2">
          <FormAlert message={messageFor(error, fallback)} />
        </div>
      ) : null}
    </li>
  )
}

interface ClearDialogProps {
  readonly count: number
  readonly open: boolean
  readonly onClose: () => void
}

function ClearDialog({ count, open, onClose }: ClearDialogProps) {
  const clearing = useOrganizationChange((call) => call(organizations.clearInvitations, {}), onClose)

  return (
    <ConfirmMutationDialog
      open={open}
      mutation={clearing}
      title={organizationStrings.clearTitle}
      description={organizationStrings.clearText(count)}
      confirmLabel={organizationStrings.clearAll}
      busyLabel={organizationStrings.clearing}
      formatError={(error) => messageFor(error, organizationStrings.clearFailed)}
      onClose={onClose}
    />
  )
}

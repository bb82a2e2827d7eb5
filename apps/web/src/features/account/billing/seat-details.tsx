import { loadCode } from '@sallyport/browser/load-code'
import type { Reply } from '@sallyport/contract/endpoint'
import type { membership } from '@sallyport/contract/membership'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { PaymentDetailsButton } from '#/components/billing/payment-details.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Button, buttonClass } from '#/components/ui/button.tsx'
import { ConfirmMutationDialog } from '#/components/ui/overlays/confirm-mutation-dialog.tsx'
import { subscriptionQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { dashboardQuery, membershipQuery } from '#/lib/api/membership.ts'
import { formatPrice } from '#/lib/format-price.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'
import { seatStrings } from '#/strings/organization/seat.ts'

/** The organization that the seat of the account comes from, or those that it is invited to. Nothing without either. */
export function SeatDetails() {
  const { data } = useQuery(membershipQuery(useCall()))
  if (data?.organization) return <Seat organization={data.organization} />
  return data?.invitations.map(({ id, organization_name }) => (
    <p key={id} className="mt-4 flex flex-wrap items-center justify-between gap-3 text-sm">
      <span className="min-w-0 wrap-anywhere">{seatStrings.invited(visibleName(organization_name))}</span>
      <Link to={`/accept-invite/i.${id}`} className={buttonClass('primary', 'compact')}>
        {seatStrings.join}
      </Link>
    </p>
  ))
}

interface SeatProps {
  readonly organization: NonNullable<Reply<typeof membership>['organization']>
}

function Seat({ organization }: SeatProps) {
  const { role } = organization
  const name = visibleName(organization.name)
  const [isLeaving, setLeaving] = useState(false)
  const isManager = role !== 'member'
  return (
    <div className="mt-4 grid justify-items-start gap-3 text-sm">
      <p className="wrap-anywhere">{role === 'owner' ? seatStrings.owned(name) : seatStrings.from(name)}</p>
      {isManager ? <SeatCount /> : null}
      {organization.status === 'ending' && organization.ends_at !== null ? (
        <p className="text-ink-2">{seatStrings.endsOn(formatDate(organization.ends_at))}</p>
      ) : null}
      <div className="flex flex-wrap gap-2.5">
        {isManager ? (
          <Link to="/business" className={buttonClass('secondary', 'compact')}>
            {seatStrings.open}
          </Link>
        ) : null}
        {role === 'owner' ? <SeatPayment /> : null}
        {role === 'owner' ? null : (
          <Button size="compact" onClick={() => setLeaving(true)}>
            {seatStrings.leave}
          </Button>
        )}
      </div>
      <LeaveDialog name={name} open={isLeaving} onClose={() => setLeaving(false)} />
    </div>
  )
}

/** How many seats are taken, and what they cost. */
function SeatCount() {
  const { data } = useQuery(dashboardQuery(useCall()))
  if (!data) return null
  const { used_seats, total_seats, monthly_cost_cents: cents } = data.organization
  return (
    <p className="text-ink-2">
      {seatStrings.seats(used_seats, total_seats)}
      {cents > 0 ? ` · ${seatStrings.cost(formatPrice(cents))}` : null}
    </p>
  )
}

/** Leads the owner to the payment method and the invoices of the seats. */
function SeatPayment() {
  const { data } = useQuery(subscriptionQuery(useCall(), 'business'))
  return data?.has_payment_page ? <PaymentDetailsButton plan="business" size="compact" /> : null
}

interface LeaveDialogProps {
  readonly name: string
  readonly open: boolean
  readonly onClose: () => void
}

function LeaveDialog({ name, open, onClose }: LeaveDialogProps) {
  const call = useCall()
  const queries = useQueryClient()
  const leaving = useMutation({
    mutationFn: async () => {
      const { organizations } = await loadCode(() => import('@sallyport/contract/organizations'))
      return call(organizations.leave, {})
    },
    networkMode: 'always',
    onSuccess: onClose,
    // After a lost answer, too: everything but the configuration may have changed.
    onSettled: () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' }),
  })

  return (
    <ConfirmMutationDialog
      open={open}
      mutation={leaving}
      title={seatStrings.leaveTitle(name)}
      description={seatStrings.leaveText}
      confirmLabel={seatStrings.leave}
      cancelLabel={seatStrings.stay}
      busyLabel={seatStrings.leaving}
      formatError={(error) => messageFor(error, seatStrings.leaveFailed)}
      onClose={onClose}
    />
  )
}

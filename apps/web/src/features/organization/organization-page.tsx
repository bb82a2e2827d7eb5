import type { ReactNode } from 'react'
import { useState } from 'react'
import { PaymentDetailsButton, UnpaidBanner } from '#/components/billing/payment-details.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Badge, type Tone } from '#/components/ui/badge.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { formatDate } from '#/strings/format.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { productName } from '#/strings/product.ts'
import { AddSeatsDialog } from './add-seats-dialog.tsx'
import { CancelPlanDialog } from './cancel-plan-dialog.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersSection } from './members-section.tsx'
import { type Dashboard, type Organization, useSeatsSubscription } from './organization.queries.ts'
import { SeatTiles } from './seat-tiles.tsx'

const tones: Record<Organization['status'], Tone> = {
  active: 'seal',
  ending: 'brass',
  past_due: 'brass',
  ended: 'rust',
}

interface OrganizationPageProps {
  readonly dashboard: Dashboard
  /** The button to buy seats again. */
  readonly buyButton: ReactNode
}

/** The dashboard of an organization: its seats, its members, and who is invited. */
export function OrganizationPage({ dashboard, buyButton }: OrganizationPageProps) {
  const { organization, members, pending_invitations } = dashboard
  const { status, abilities } = organization
  const name = visibleName(organization.name)
  const [notice, setNotice] = useState('')
  const [dialog, setDialog] = useState<'invite' | 'seats' | 'cancel' | null>(null)
  const close = () => setDialog(null)
  const hasPaymentPage = useSeatsSubscription(organization)?.has_payment_page ?? false
  useTitle(`${name} · ${productName}`)

  return (
    <div className="mx-auto grid max-w-page gap-5 px-4 py-7 md:px-7">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <h1 className="heading text-2xl wrap-anywhere">{name}</h1>
          <Badge tone={tones[status]}>{organizationStrings.status[status]}</Badge>
        </div>
        <div className="flex flex-wrap gap-2.5">
          {abilities.add_seats ? (
            <Button onClick={() => setDialog('seats')}>{organizationStrings.addSeats}</Button>
          ) : null}
          {abilities.invite ? (
            <Button variant="primary" disabled={organization.available_seats === 0} onClick={() => setDialog('invite')}>
              {organizationStrings.invite}
            </Button>
          ) : null}
        </div>
      </header>
      <p role="status" className="text-sm font-medium text-seal empty:hidden">
        {notice}
      </p>
      <StatusBanners organization={organization} buyButton={buyButton} />
      <SeatTiles organization={organization} />
      <MembersSection members={members} />
      <InvitationsSection
        invitations={pending_invitations}
        canSend={abilities.invite}
        canClear={abilities.clear_invitations}
      />
      <div className="flex flex-wrap gap-2.5 empty:hidden">
        {hasPaymentPage ? <PaymentDetailsButton plan="business" /> : null}
        {abilities.cancel ? (
          <Button variant="danger-outline" onClick={() => setDialog('cancel')}>
            {organizationStrings.cancelPlan}
          </Button>
        ) : null}
      </div>
      <InviteDialog
        open={dialog === 'invite'}
        onClose={close}
        onInvited={setNotice}
        mayInviteAdmins={abilities.invite_admins}
      />
      <AddSeatsDialog open={dialog === 'seats'} onClose={close} onAdded={setNotice} />
      <CancelPlanDialog hasGranted={organization.granted_seats > 0} open={dialog === 'cancel'} onClose={close} />
    </div>
  )
}

function StatusBanners({ organization, buyButton }: Pick<OrganizationPageProps, 'buyButton'> & BannerProps) {
  const { status, ends_at, used_seats, total_seats, available_seats, abilities } = organization
  const date = ends_at === null ? '' : formatDate(ends_at)
  const subscription = useSeatsSubscription(organization)
  const isOverdue = status === 'past_due'
  return (
    <>
      {status === 'ended' ? (
        <Banner tone="rust" actions={abilities.buy ? buyButton : undefined}>
          {organizationStrings.ended(visibleName(organization.name))}
        </Banner>
      ) : null}
      {status === 'ending' ? <Banner tone="brass">{organizationStrings.endsOn(date)}</Banner> : null}
      {subscription ? <UnpaidBanner plan="business" subscription={subscription} /> : null}
      {isOverdue && !subscription?.keep_until ? (
        <Banner tone="brass">{organizationStrings.overdue(date)}</Banner>
      ) : null}
      {status !== 'ended' && used_seats > total_seats ? (
        <Banner tone="brass">{organizationStrings.tooMany(used_seats, total_seats)}</Banner>
      ) : null}
      {abilities.invite && available_seats === 0 && used_seats <= total_seats ? (
        <p className="text-sm text-ink-2">{noSeatsText(organization)}</p>
      ) : null}
    </>
  )
}

function noSeatsText({ abilities, your_role }: Organization): string {
  if (abilities.add_seats) return organizationStrings.noSeats
  return your_role === 'owner' ? organizationStrings.noSeatsGranted : organizationStrings.noSeatsForAdmins
}

interface BannerProps {
  readonly organization: Organization
}

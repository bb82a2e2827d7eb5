import { adminOffers, type Offer, type OfferState } from '@sallyport/contract/admin-offers'
import { formatBytes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Name } from '#/components/names/name.tsx'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Badge, type Tone } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { adminLicencesStrings as strings } from '#/strings/admin/licences.ts'
import { formatDate } from '#/strings/format.ts'
import { offersQuery } from '../admin.queries.ts'
import { LicenceBadge } from '../licence-badge.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import { ChangeDialog } from '../user/change-dialog.tsx'
import type { ReauthGuard } from '../user/use-change.ts'

const tones: Record<OfferState, Tone> = { open: 'seal', claimed: 'ink', expired: 'neutral' }

/** The newest invitations and keys with their state. Open ones can be ended. */
export function OffersCard(guard: ReauthGuard) {
  const query = useQuery(offersQuery(useAdminCall()))
  const [asked, setAsked] = useState<Offer | null>(null)
  const [isOpen, setOpen] = useState(false)

  function ask(offer: Offer) {
    setAsked(offer)
    setOpen(true)
  }

  return (
    <Card aria-labelledby="offers-heading">
      <CardHeading id="offers-heading" title={strings.heading} />
      <Loaded query={query} failed={strings.failed} skeletonClassName="h-40" className="mt-3">
        {(offers) =>
          offers.length === 0 ? (
            <p className="mt-3 text-sm text-ink-2">{strings.none}</p>
          ) : (
            <ul className="mt-1 grid">
              {offers.map((offer) => (
                <OfferRow key={offer.id} offer={offer} onEnd={() => ask(offer)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked ? (
        <ChangeDialog
          {...guard}
          open={isOpen}
          onClose={() => setOpen(false)}
          send={async (call) => (await call(adminOffers.endOffer, { params: { id: asked.id } })).message}
          failed={strings.endFailed}
          title={strings.endTitle}
          description={strings.endText}
          confirmLabel={strings.confirmEnd}
          busyLabel={strings.ending}
        />
      ) : null}
    </Card>
  )
}

interface OfferRowProps {
  readonly offer: Offer
  readonly onEnd: () => void
}

function OfferRow({ offer, onEnd }: OfferRowProps) {
  const { kind, state, license_type, storage_limit_bytes, seats, description, uses, claimed, created_at } = offer
  const details = [
    strings.kinds[kind],
    formatBytes(storage_limit_bytes),
    ...(seats === null ? [] : [strings.seats(seats)]),
    ...(uses > 1 ? [strings.uses(claimed, uses)] : []),
    strings.created(formatDate(created_at)),
    ...endOf(offer),
  ]
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-3 border-t border-line py-3 first:border-t-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <LicenceBadge type={license_type} />
          <Badge tone={tones[state]}>{strings.states[state]}</Badge>
        </p>
        {description === null ? null : (
          <p className="mt-1.5 text-sm font-semibold wrap-anywhere">
            <Name>{description}</Name>
          </p>
        )}
        <p className="mt-1 text-xs text-ink-2">{details.join(' · ')}</p>
      </div>
      {state === 'open' ? (
        <Button size="compact" aria-label={strings.endOf(strings.kinds[kind], formatDate(created_at))} onClick={onEnd}>
          {strings.end}
        </Button>
      ) : null}
    </li>
  )
}

function endOf({ state, ends_at }: Offer): readonly string[] {
  if (ends_at === null || state === 'claimed') return []
  return [state === 'open' ? strings.endsOn(formatDate(ends_at)) : strings.endedOn(formatDate(ends_at))]
}

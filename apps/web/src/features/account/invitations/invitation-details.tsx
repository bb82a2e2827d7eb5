import type { LicenceType } from '@sallyport/contract/accounts'
import { Check } from 'lucide-react'
import { inviteStrings } from '#/strings/account/invitations.ts'
import { licenceNames } from '#/strings/files.ts'

interface InvitationDetailsProps {
  readonly licence: LicenceType
  readonly storageGigabytes: number
  readonly seats: number | null
  /** How long the licence lasts; null for no end. */
  readonly days: number | null
}

/** Shows the licence that the invitation grants. */
export function InvitationDetails({ licence, storageGigabytes, seats, days }: InvitationDetailsProps) {
  return (
    <>
      <h1 className="heading text-2xl">{inviteStrings.title}</h1>
      <p className="mt-1.5 text-sm text-ink-2">{inviteStrings.intro}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 rounded-control bg-sunken px-4 py-3 text-sm">
        <Detail name={inviteStrings.licence} value={licenceNames[licence]} />
        <Detail name={inviteStrings.storage} value={inviteStrings.gigabytes(storageGigabytes)} />
        {seats === null ? null : <Detail name={inviteStrings.seats} value={String(seats)} />}
        <Detail name={inviteStrings.term} value={days === null ? inviteStrings.unlimited : inviteStrings.days(days)} />
      </dl>
      <ul className="mt-4 mb-5 grid gap-2 text-sm">
        {inviteStrings.features[licence].map((feature) => (
          <li key={feature} className="flex items-center gap-2.5">
            <Check aria-hidden size={16} strokeWidth={2} className="shrink-0 text-seal" />
            {feature}
          </li>
        ))}
      </ul>
    </>
  )
}

interface DetailProps {
  readonly name: string
  readonly value: string
}

function Detail({ name, value }: DetailProps) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </>
  )
}

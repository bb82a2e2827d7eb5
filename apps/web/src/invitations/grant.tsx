import type { LicenceType } from '@sallyport/contract/accounts'
import { Check } from 'lucide-react'
import { inviteWords } from '#/words/invitations.ts'

interface GrantProps {
  readonly licence: LicenceType
  readonly storageGigabytes: number
  readonly seats: number | null
}

/** What the invitation gives. */
export function Grant({ licence, storageGigabytes, seats }: GrantProps) {
  return (
    <>
      <h1 className="heading text-2xl">{inviteWords.title}</h1>
      <p className="mt-1.5 text-sm text-ink-2">{inviteWords.intro}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 rounded-control bg-sunken px-4 py-3 text-sm">
        <Fact name={inviteWords.licence} value={inviteWords.names[licence]} />
        <Fact name={inviteWords.storage} value={inviteWords.gigabytes(storageGigabytes)} isFigure />
        {seats === null ? null : <Fact name={inviteWords.seats} value={String(seats)} isFigure />}
      </dl>
      <ul className="mt-4 mb-5 grid gap-2 text-sm">
        {inviteWords.features[licence].map((feature) => (
          <li key={feature} className="flex items-center gap-2.5">
            <Check aria-hidden size={16} strokeWidth={2} className="shrink-0 text-seal" />
            {feature}
          </li>
        ))}
      </ul>
    </>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly isFigure?: boolean
}

function Fact({ name, value, isFigure = false }: FactProps) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className={isFigure ? 'num font-semibold' : 'font-semibold'}>{value}</dd>
    </>
  )
}

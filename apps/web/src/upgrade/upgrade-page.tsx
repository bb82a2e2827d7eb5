import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { useCall } from '#/api/api-context.ts'
import { configQuery } from '#/api/config.query.ts'
import { TaskPage } from '#/motifs/task-page.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { upgradeWords } from '#/words/upgrade.ts'
import { paidPlans } from './paid-plans.ts'

/** Names the plan that was chosen, and how to come by it. */
export function UpgradePage() {
  const [query] = useSearchParams()
  const { data: config, error } = useQuery(configQuery(useCall()))
  const plan = paidPlans(config?.plans ?? []).find(({ type }) => type === query.get('plan'))
  const organization = query.get('organization')
  const isKnown = config !== undefined || error !== null
  useTitle(`${upgradeWords.title} · ${productName}`)

  return (
    <TaskPage>
      {isKnown ? null : <Skeleton className="h-52" />}
      {isKnown && !plan ? <h1 className="heading text-2xl">{upgradeWords.pageUnknown}</h1> : null}
      {plan ? (
        <>
          <h1 className="heading text-2xl">{upgradeWords.pageTitle(plan.name)}</h1>
          <p className="mt-1 text-base text-ink-2">{upgradeWords.pagePrice(plan.price, plan.term)}</p>
          {organization ? (
            <p className="mt-1 text-base text-ink-2">
              {upgradeWords.forOrganization} <bdi className="font-semibold text-ink wrap-anywhere">{organization}</bdi>
            </p>
          ) : null}
          <p className="mt-4 text-sm">{upgradeWords.pageHow}</p>
          <ol className="mt-3 mb-1 grid list-decimal gap-2 ps-5 text-sm text-ink-2">
            <li>
              <Contact contact={config?.operatorContact} />
            </li>
            {upgradeWords.pageSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      ) : null}
      <Link to="/" className={classNames(buttonClass('primary', 'large'), 'mt-5 w-full')}>
        {upgradeWords.pageBack}
      </Link>
    </TaskPage>
  )
}

/** Where to write: as the server says, or as whoever got here can find out. */
function Contact({ contact }: { readonly contact: string | undefined }) {
  if (contact === undefined) return upgradeWords.pageNoContact
  const isPage = /^https?:/.test(contact)
  return (
    <>
      {upgradeWords.pageContact}{' '}
      <a
        href={isPage ? contact : `mailto:${contact}`}
        {...(isPage ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="rounded-segment font-semibold text-ink underline decoration-1 underline-offset-3 wrap-anywhere"
      >
        {contact}
      </a>
    </>
  )
}

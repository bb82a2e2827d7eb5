import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { Name } from '#/components/names/name.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { productName } from '#/strings/product.ts'
import { paidPlans } from '../sign-up/plans.ts'
import { OperatorContact } from './operator-contact.tsx'

/** Shows the picked plan and how to get it. */
export function UpgradePage() {
  const [query] = useSearchParams()
  const { data: config, error } = useQuery(configQuery(useCall()))
  const plan = paidPlans(config?.plans ?? []).find(({ type }) => type === query.get('plan'))
  const organization = query.get('organization')
  const navigate = useNavigate()
  // Where plans are sold, the settings sell this one.
  const isSold = config?.features.payments === true && plan?.type === 'personal'
  const isLoaded = config !== undefined || error !== null
  useTitle(`${upgradeStrings.title} · ${productName}`)

  useEffect(() => {
    if (isSold) void navigate('/settings', { replace: true })
  }, [isSold, navigate])

  return (
    <TaskPage>
      {isLoaded ? null : <Skeleton className="h-52" />}
      {isLoaded && !plan ? <h1 className="heading text-2xl">{upgradeStrings.unknownPlan}</h1> : null}
      {plan && !isSold ? (
        <>
          <h1 className="heading text-2xl">{upgradeStrings.pageTitle(plan.name)}</h1>
          <p className="mt-1 text-base text-ink-2">{upgradeStrings.pagePrice(plan.price, plan.term)}</p>
          {organization ? (
            <p className="mt-1 text-base text-ink-2">
              {upgradeStrings.forOrganization}{' '}
              <Name className="font-semibold text-ink wrap-anywhere">{organization}</Name>
            </p>
          ) : null}
          <p className="mt-4 text-sm">
            {config?.features.payments ? upgradeStrings.pageTeams : upgradeStrings.pageExplanation}
          </p>
          <ol className="mt-3 mb-1 grid list-decimal gap-2 ps-5 text-sm text-ink-2">
            <li>
              <OperatorContact contact={config?.operatorContact} />
            </li>
            {upgradeStrings.pageSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      ) : null}
      <TaskLink to="/">{upgradeStrings.pageBack}</TaskLink>
    </TaskPage>
  )
}

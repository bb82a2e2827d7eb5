import type { Reply } from '@sallyport/contract/endpoint'
import type { system } from '@sallyport/contract/system'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { Name } from '#/components/names/name.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { productName } from '#/strings/product.ts'
import { paidPlans } from '../sign-up/plans.ts'
import { OperatorContact } from './operator-contact.tsx'

interface UpgradePageProps {
  /** Undefined if it could not be loaded. */
  readonly config: Reply<typeof system.config> | undefined
}

/** Shows the picked plan and how to get it. */
export function UpgradePage({ config }: UpgradePageProps) {
  const [query] = useSearchParams()
  const plan = paidPlans(config?.plans ?? []).find(({ type }) => type === query.get('plan'))
  const organization = query.get('organization')
  const navigate = useNavigate()
  // Where plans are sold, the settings sell this one.
  const isSold = config?.features.payments === true && plan !== undefined
  useTitle(`${upgradeStrings.title} · ${productName}`)

  useEffect(() => {
    if (isSold) void navigate('/settings', { replace: true })
  }, [isSold, navigate])

  return (
    <TaskPage>
      {plan ? null : <h1 className="heading text-2xl">{upgradeStrings.unknownPlan}</h1>}
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
          <p className="mt-4 text-sm">{upgradeStrings.pageExplanation}</p>
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

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { TaskPage } from '#/components/brand/task-page.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { BusinessSuccessPage } from '#/features/account/billing/business-success-page.tsx'
import { TestCheckoutPage } from '#/features/account/billing/test-checkout-page.tsx'
import { UpgradePage } from '#/features/account/billing/upgrade-page.tsx'
import { UpgradeSuccessPage } from '#/features/account/billing/upgrade-success-page.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'

/** The pages of plans, in one file: what every visitor loads lists the files of each import. */
const pages = { BusinessSuccessPage, TestCheckoutPage, UpgradePage, UpgradeSuccessPage }

export type BillingPage = keyof typeof pages

interface BillingRouteProps {
  readonly page: BillingPage
  /** The screen where there are no plans. Every visitor loads its code already. */
  readonly notFound: ReactNode
}

/** Shows a page of plans once it is known that there are any. Where there are none, no such page exists. */
export function BillingRoute({ page, notFound }: BillingRouteProps) {
  const { data: config, isFetched } = useQuery(configQuery(useCall()))
  const Page = pages[page]

  if (config?.plans.length === 0) return notFound
  if (isFetched) return <Page config={config} />
  return (
    <TaskPage>
      <Skeleton className="h-52" />
    </TaskPage>
  )
}

import { useQuery } from '@tanstack/react-query'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { BuySeatsButton } from '#/features/account/billing/buy-seats-button.tsx'
import { OrganizationPage } from '#/features/organization/organization-page.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { dashboardQuery } from '#/lib/api/membership.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'

const pollMs = 60_000

interface OrganizationAreaProps {
  /** Asks again whether the user manages an organization; null unless the server could not answer. */
  readonly retry: (() => void) | null
}

/** The dashboard of an organization, once the server has answered that it is the user's. */
export function OrganizationArea({ retry }: OrganizationAreaProps) {
  const { data } = useQuery({ ...dashboardQuery(useCall()), enabled: retry === null, refetchInterval: pollMs })
  if (data)
    return (
      <OrganizationPage
        dashboard={data}
        buyButton={<BuySeatsButton name={data.organization.name} usedSeats={data.organization.used_seats} />}
      />
    )
  return (
    <div className="mx-auto grid max-w-page gap-5 px-4 py-7 md:px-7">
      {retry ? (
        <RetryBanner onRetry={retry}>{organizationStrings.unavailable}</RetryBanner>
      ) : (
        <>
          <Skeleton className="h-9 w-64 max-w-full" />
          <Skeleton className="h-24" />
          <Skeleton className="h-64" />
        </>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { useAccounts } from '../../accounts-context.ts'
import { pendingOrganizationQuery } from './pending-organization.ts'

const FinishSetup = lazyPart(async () => (await import('./finish-setup.tsx')).FinishSetup, { notice: 'none' })

/** Offers to pay for the seats of a business sign-up that ended before its payment. */
export function UnpaidOrganization() {
  const { data: name } = useQuery(pendingOrganizationQuery(useAccounts().signInDeps.auth))
  return typeof name === 'string' ? (
    <Suspense>
      <FinishSetup name={name} />
    </Suspense>
  ) : null
}

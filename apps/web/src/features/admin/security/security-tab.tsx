import { SecurityPeriod } from '@sallyport/contract/admin-security'
import { useQuery } from '@tanstack/react-query'
import { adminSecurityStrings as strings } from '#/strings/admin/security.ts'
import { securityQuery } from '../admin.queries.ts'
import { LoadingCharts } from '../charts/chart-grid.tsx'
import { LoadedPeriod } from '../charts/loaded-period.tsx'
import { PeriodSelect, usePeriod } from '../charts/period-select.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import { AuditCard } from './audit-card.tsx'
import { NetworksCard } from './networks-card.tsx'
import { SecurityCharts, securityChartKeys } from './security-charts.tsx'

/** Failed attempts by day and by network, and the audit log. The period is in the URL. */
export function SecurityTab() {
  const periods = SecurityPeriod.options
  const [period, setPeriod] = usePeriod(periods)
  const query = useQuery(securityQuery(useAdminCall(), period))
  return (
    <div className="grid gap-6">
      <section aria-labelledby="signs-heading" className="grid gap-4">
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="signs-heading" className="heading text-xl">
            {strings.signs}
          </h2>
          <PeriodSelect periods={periods} period={period} onChange={setPeriod} />
        </header>
        <LoadedPeriod query={query} failed={strings.failed} skeleton={<LoadingCharts chartKeys={securityChartKeys} />}>
          {(figures) => <SecurityCharts {...figures} />}
        </LoadedPeriod>
      </section>
      <NetworksCard query={query} />
      <AuditCard />
    </div>
  )
}

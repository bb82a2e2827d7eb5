import { Card, CardHeading } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import type { Stats } from '../admin.queries.ts'
import { Detail, DetailList } from '../user/detail-list.tsx'

/** What the server needs, each with its state in words. */
export const ServicesCard = ({ stats }: { readonly stats: Stats }) => (
  <Card aria-labelledby="services-heading">
    <CardHeading id="services-heading" title={strings.services} className="mb-2" />
    <DetailList>
      <Service
        label={strings.backend}
        state={strings.backendStates[stats.backend_status]}
        isWell={stats.backend_status === 'running'}
      />
      <Service
        label={strings.database}
        state={strings.databaseStates[stats.database_status]}
        isWell={stats.database_status === 'connected'}
      />
      <Service
        label={strings.proxy}
        state={strings.proxyStates[stats.nginx_status]}
        isWell={stats.nginx_status !== 'untrusted'}
      />
      <Detail label={strings.version}>{stats.version}</Detail>
    </DetailList>
  </Card>
)

interface ServiceProps {
  readonly label: string
  readonly state: string
  readonly isWell: boolean
}

const Service = ({ label, state, isWell }: ServiceProps) => (
  <Detail label={label}>
    <span className={classNames('font-semibold', isWell ? 'text-seal' : 'text-rust')}>{state}</span>
  </Detail>
)

import type { ReactNode } from 'react'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { adminLinkStrings } from '#/strings/admin/admin-link.ts'
import { productName } from '#/strings/product.ts'
import { type AdminTab, AdminTabs, useAdminTab } from './admin-tabs.tsx'
import { AnalyticsTab } from './analytics/analytics-tab.tsx'
import { LicencesTab } from './licences/licences-tab.tsx'
import { ClockBanner } from './maintenance/clock-banner.tsx'
import { MaintenanceTab } from './maintenance/maintenance-tab.tsx'
import { OverviewTab } from './overview/overview-tab.tsx'
import { SecurityTab } from './security/security-tab.tsx'
import type { ReauthGuard } from './user/use-change.ts'
import { UsersTab } from './users/users-tab.tsx'
import { VolumesTab } from './volumes/volumes-tab.tsx'

const contents: Record<AdminTab, (guard: ReauthGuard) => ReactNode> = {
  overview: OverviewTab,
  users: UsersTab,
  volumes: VolumesTab,
  licences: LicencesTab,
  analytics: AnalyticsTab,
  maintenance: MaintenanceTab,
  security: SecurityTab,
}

export function AdminDashboard(guard: ReauthGuard) {
  const Content = contents[useAdminTab()]
  useTitle(`${adminLinkStrings.dashboard} · ${productName}`)
  return (
    <div className="mx-auto max-w-page px-4 py-7 md:px-7">
      <h1 id="admin-heading" tabIndex={-1} className="heading-large text-3xl outline-none max-md:text-2xl">
        {adminLinkStrings.dashboard}
      </h1>
      <AdminTabs />
      <ClockBanner {...guard} />
      <Content {...guard} />
    </div>
  )
}

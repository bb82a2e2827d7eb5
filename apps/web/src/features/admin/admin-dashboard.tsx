import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { adminLinkStrings } from '#/strings/admin/admin-link.ts'
import { productName } from '#/strings/product.ts'
import { AdminTabs } from './admin-tabs.tsx'
import { UsersTab } from './users/users-tab.tsx'

export function AdminDashboard() {
  useTitle(`${adminLinkStrings.dashboard} · ${productName}`)
  return (
    <div className="mx-auto max-w-page px-4 py-7 md:px-7">
      <h1 className="heading-large text-3xl max-md:text-2xl">{adminLinkStrings.dashboard}</h1>
      <AdminTabs />
      <UsersTab />
    </div>
  )
}

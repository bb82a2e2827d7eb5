import { Link, useNavigate, useSearchParams } from 'react-router'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { Select } from '#/components/ui/inputs/select.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'

/** The tabs that exist, in their order. */
const adminTabs = ['overview', 'users', 'volumes', 'licences', 'analytics', 'maintenance', 'security'] as const

export type AdminTab = (typeof adminTabs)[number]

/** The tab named in the URL, otherwise the first one. */
export function useAdminTab(): AdminTab {
  const [parameters] = useSearchParams()
  return adminTabs.find((tab) => tab === parameters.get('tab')) ?? adminTabs[0]
}

const tabPath = (tab: AdminTab): string => `/admin?tab=${tab}`

/** The navigation between the tabs; on a phone a select. */
export function AdminTabs() {
  const current = useAdminTab()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { tabs } = adminUsersStrings
  if (isPhone)
    return (
      <Select
        label={tabs.label}
        hideLabel
        fieldClassName="my-4"
        value={current}
        options={adminTabs.map((tab) => ({ value: tab, label: tabs[tab] }))}
        onChange={({ target }) => void navigate(tabPath(target.value as AdminTab))}
      />
    )
  return (
    <nav aria-label={tabs.label} className="mt-3 mb-5 flex gap-5.5 border-b border-line">
      {adminTabs.map((tab) => (
        <Link key={tab} to={tabPath(tab)} aria-current={tab === current ? 'page' : undefined} className={tabClass}>
          {tabs[tab]}
        </Link>
      ))}
    </nav>
  )
}

const tabClass =
  '-mb-px inline-flex h-11 items-center border-b-2 border-transparent text-sm font-semibold text-ink-2 hover:text-ink ' +
  'aria-[current=page]:border-ink aria-[current=page]:text-ink'

import { Link } from 'react-router'
import { Brand } from '#/components/brand/logo.tsx'
import { Name } from '#/components/names/name.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Bar } from '#/components/ui/bar.tsx'
import { buttonClass } from '#/components/ui/button.tsx'
import { adminLinkStrings } from '#/strings/admin/admin-link.ts'
import { organizationLinkStrings } from '#/strings/organization/organization-link.ts'
import { productName } from '#/strings/product.ts'
import { shellStrings } from '#/strings/shell.ts'
import { AreaTabs } from './area-tabs.tsx'
import { areaPath } from './areas.ts'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly name: string
  readonly isAdmin: boolean
  /** Whether the user can open the dashboard of an organization, and is not there already. */
  readonly showsOrganization: boolean
  readonly onSignOut: () => void
}

export function TopBar({ name, isAdmin, showsOrganization, onSignOut }: TopBarProps) {
  return (
    <Bar className="md:grid md:grid-cols-[1fr_auto_1fr]">
      <Link
        to={areaPath('files')}
        className="inline-flex justify-self-start rounded-segment"
        aria-label={shellStrings.logoToFiles(productName)}
      >
        <Brand />
      </Link>
      <AreaTabs place="top" />
      <div className="flex min-w-0 items-center justify-end gap-4">
        <Name className="truncate text-sm text-ink-2 max-md:hidden" title={visibleName(name)}>
          {name}
        </Name>
        {showsOrganization ? (
          <Link to="/business" className={buttonClass('secondary', 'compact')}>
            {organizationLinkStrings.button}
          </Link>
        ) : null}
        {isAdmin ? (
          <Link to="/admin" className={buttonClass('secondary', 'compact')}>
            {adminLinkStrings.button}
          </Link>
        ) : null}
        <UserMenu name={name} isAdmin={isAdmin} showsOrganization={showsOrganization} onSignOut={onSignOut} />
      </div>
    </Bar>
  )
}

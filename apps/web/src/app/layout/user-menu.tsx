import { Building2, ChevronDown, LogOut, Settings, ShieldUser } from 'lucide-react'
import { Link } from 'react-router'
import { Name } from '#/components/names/name.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuText } from '#/components/ui/overlays/menu.tsx'
import { themeChoices } from '#/lib/theme/theme-choices.ts'
import { useTheme } from '#/lib/theme/use-theme.ts'
import { adminLinkStrings } from '#/strings/admin/admin-link.ts'
import { organizationLinkStrings } from '#/strings/organization/organization-link.ts'
import { shellStrings } from '#/strings/shell.ts'
import { initialsOf } from './initials.ts'

interface UserMenuProps {
  readonly name: string
  readonly isAdmin: boolean
  readonly showsOrganization: boolean
  readonly onSignOut: () => void
}

export function UserMenu({ name, isAdmin, showsOrganization, onSignOut }: UserMenuProps) {
  const [theme, setTheme] = useTheme()
  return (
    <Menu
      // Below the line of the bar.
      sideOffset={16}
      trigger={
        <button type="button" className={triggerClass} aria-label={shellStrings.account(initialsOf(name))}>
          {initialsOf(name)}
          <ChevronDown aria-hidden size={14} strokeWidth={2.25} />
        </button>
      }
    >
      <MenuText>
        <Name>{name}</Name>
      </MenuText>
      {isAdmin ? (
        <MenuItem icon={<ShieldUser aria-hidden size={18} strokeWidth={1.75} />} render={<Link to="/admin" />}>
          {adminLinkStrings.dashboard}
        </MenuItem>
      ) : null}
      {showsOrganization ? (
        <MenuItem icon={<Building2 aria-hidden size={18} strokeWidth={1.75} />} render={<Link to="/business" />}>
          {organizationLinkStrings.button}
        </MenuItem>
      ) : null}
      <MenuItem icon={<Settings aria-hidden size={18} strokeWidth={1.75} />} render={<Link to="/settings" />}>
        {shellStrings.settings}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice label={shellStrings.theme} value={theme} onValueChange={setTheme} choices={themeChoices()} />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden size={18} strokeWidth={1.75} />} onSelect={onSignOut}>
        {shellStrings.signOut}
      </MenuItem>
    </Menu>
  )
}

const triggerClass =
  'inline-flex h-control-compact shrink-0 items-center gap-1 rounded-full bg-sunken ps-3.5 pe-2.5 text-xs font-semibold ' +
  'hover:bg-line aria-expanded:bg-line pointer-coarse:h-control'

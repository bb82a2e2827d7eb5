import { ChevronDown, DoorOpen, Files, type LucideIcon, MessageSquareText, UsersRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { Button } from '#/components/ui/button.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { Menu, MenuItem } from '#/components/ui/overlays/menu.tsx'
import { segmentClass, segmentedClass } from '#/components/ui/tabs.tsx'
import { SessionBadge } from '#/features/sessions/session-badge.tsx'
import { shellStrings } from '#/strings/shell.ts'
import { type Area, areaFor, areaPath, areas, isAdminPath } from './areas.ts'

/** Navigation between the areas: in the top bar, or at the bottom of a phone. The admin area has a menu of them instead. */
export function AreaTabs({ place: position }: { readonly place: 'top' | 'bottom' }) {
  const isPhone = useIsPhone()
  const { pathname } = useLocation()
  if (isPhone !== (position === 'bottom')) return null
  if (!isPhone && isAdminPath(pathname)) return <AreaMenu />
  return (
    <nav aria-label={shellStrings.areas} className={isPhone ? 'area-bar' : segmentedClass}>
      {areas.map((area) => (
        <AreaLink key={area} area={area} className={isPhone ? 'area-bar-link' : segmentClass}>
          {isPhone ? <AreaIcon area={area} /> : null}
          <span className="inline-flex items-center gap-1.5">
            {shellStrings.areaNames[area]}
            {area === 'sessions' ? <SessionBadge /> : null}
          </span>
        </AreaLink>
      ))}
    </nav>
  )
}

/** The areas in a menu, which has the name of the one that was shown last. */
function AreaMenu() {
  return (
    <nav aria-label={shellStrings.areas}>
      <Menu
        align="center"
        // Below the line of the bar.
        sideOffset={16}
        trigger={
          <Button size="compact" className="gap-1">
            {shellStrings.areaNames[areaFor('', localStorage)]}
            <ChevronDown aria-hidden size={14} strokeWidth={2.25} />
          </Button>
        }
      >
        {areas.map((area) => (
          <MenuItem key={area} icon={<AreaIcon area={area} />} render={<Link to={areaPath(area)} />}>
            {shellStrings.areaNames[area]}
            {area === 'sessions' ? <SessionBadge /> : null}
          </MenuItem>
        ))}
      </Menu>
    </nav>
  )
}

interface AreaLinkProps {
  readonly area: Area
  readonly className: string
  readonly children: React.ReactNode
}

function AreaLink({ area, className, children }: AreaLinkProps) {
  const { pathname, search } = useLocation()
  const isCurrent = (pathname === '/' || pathname === '/dashboard') && areaFor(search, localStorage) === area
  return (
    <Link to={areaPath(area)} aria-current={isCurrent ? 'page' : undefined} className={className}>
      {children}
    </Link>
  )
}

function AreaIcon({ area }: { readonly area: Area }) {
  const Icon = icons[area]
  return <Icon aria-hidden size={20} strokeWidth={1.75} />
}

const icons: Record<Area, LucideIcon> = {
  files: Files,
  chat: MessageSquareText,
  portal: DoorOpen,
  sessions: UsersRound,
}

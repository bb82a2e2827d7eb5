import { DoorOpen, Files, type LucideIcon, MessageSquareText, UsersRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { segmentClass, segmentedClass } from '#/ui/tabs.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { shellWords } from '#/words/shell.ts'
import { type Area, addressOf, areaAt, areas } from './areas.ts'

/** The way between the areas: in the bar on top, or at the bottom of a phone. */
export function AreaTabs({ place }: { readonly place: 'top' | 'bottom' }) {
  const isPhone = useIsPhone()
  if (isPhone !== (place === 'bottom')) return null
  return (
    <nav aria-label={shellWords.areas} className={isPhone ? 'area-bar' : segmentedClass}>
      {areas.map(({ area, name }) => (
        <AreaLink key={area} area={area} className={isPhone ? 'area-bar-link' : segmentClass}>
          {isPhone ? <AreaIcon area={area} /> : null}
          {name}
        </AreaLink>
      ))}
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
  const isHere = (pathname === '/' || pathname === '/dashboard') && areaAt(search, localStorage) === area
  return (
    <Link to={addressOf(area)} aria-current={isHere ? 'page' : undefined} className={className}>
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

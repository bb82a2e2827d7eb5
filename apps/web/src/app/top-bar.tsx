import { Link } from 'react-router'
import { Brand } from '#/motifs/mark.tsx'
import { AreaTabs } from './area-tabs.tsx'
import { addressOf } from './areas.ts'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly name: string
  readonly onSignOut: () => void
}

export function TopBar({ name, onSignOut }: TopBarProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className="flex h-14 items-center justify-between gap-4 px-4 md:px-6">
        <Link to={addressOf('files')} className="inline-flex rounded-segment" aria-label="Sallyport, your files">
          <Brand />
        </Link>
        <AreaTabs place="top" />
        <div className="flex min-w-0 items-center gap-4">
          <bdi className="truncate text-sm text-ink-2 max-md:hidden">{name}</bdi>
          <UserMenu name={name} onSignOut={onSignOut} />
        </div>
      </div>
    </header>
  )
}

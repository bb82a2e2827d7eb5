import { Brand } from '#/motifs/mark.tsx'

/** Stands where the top bar will be while the sign-in is being looked up. */
export function EmptyBar() {
  return (
    <header className="border-b border-line bg-surface">
      <div className="flex h-14 items-center px-4 md:px-6">
        <Brand />
      </div>
    </header>
  )
}

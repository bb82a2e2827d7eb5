import { useSyncExternalStore } from 'react'
import { useFilesContext } from '../files-context.ts'

/** Announces transfers to screen readers, which do not read progress bars as they move. */
export function TransferAnnouncer() {
  const { announcements } = useFilesContext()
  const text = useSyncExternalStore(announcements.subscribe, announcements.current)
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}

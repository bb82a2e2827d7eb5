import type { ActivityAction, ActivityEntry } from '@sallyport/contract/activity'
import { Download, Link2, LogIn, type LucideIcon, Trash2, Upload } from 'lucide-react'
import { formatDateAndTime } from '#/strings/format.ts'
import { activityStrings } from '#/strings/lists/activity.ts'
import { formatActivity } from './format-activity.ts'

const icons: Readonly<Record<ActivityAction, LucideIcon>> = {
  'sign-in': LogIn,
  upload: Upload,
  download: Download,
  share: Link2,
  'share-download': Download,
  delete: Trash2,
}

interface ActivityListProps {
  /** Latest first. */
  readonly entries: readonly ActivityEntry[]
}

/** What happened in an account. */
export function ActivityList({ entries }: ActivityListProps) {
  return (
    <ul
      aria-label={activityStrings.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
      tabIndex={0}
      className="max-h-80 divide-y divide-line overflow-y-auto text-sm"
    >
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids, and rows have no state.
        <ActivityRow key={index} entry={entry} />
      ))}
    </ul>
  )
}

function ActivityRow({ entry }: { readonly entry: ActivityEntry }) {
  const Icon = icons[entry.action]
  return (
    <li className="flex items-start gap-x-2.5 py-2">
      <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ink-3" />
      <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
        <span>{formatActivity(entry)}</span>
        <span className="text-ink-2">{formatDateAndTime(entry.timestamp)}</span>
      </span>
    </li>
  )
}

import { useEffect, useState } from 'react'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { type MessageActions, MessageCard } from './message-card.tsx'
import type { MessageRow } from './message-rows.ts'

interface MessageListProps extends MessageActions {
  readonly strings: MessageListStrings
  /** In display order; null while loading. */
  readonly rows: readonly MessageRow[] | null
}

/** The strings of a list. */
export interface MessageListStrings {
  readonly list: string
  readonly loading: string
  readonly emptyTitle: string
  readonly emptyHint: string
}

/** A list of messages. Screen readers announce new messages, but neither the initial ones nor older ones. */
export function MessageList({ rows, strings, ...actions }: MessageListProps) {
  const isPrepending = useIsPrepending(rows)
  if (rows === null) return <LoadingCards label={strings.loading} />
  return (
    <div
      role="log"
      aria-label={strings.list}
      aria-relevant="additions"
      aria-live={isPrepending ? 'off' : 'polite'}
      aria-busy={isPrepending || undefined}
    >
      {rows.length === 0 ? <EmptyState title={strings.emptyTitle} hint={strings.emptyHint} /> : null}
      <ul className="grid grid-cols-1 gap-2.5">
        {rows.map((row) => (
          <MessageCard key={row.key} row={row} {...actions} />
        ))}
      </ul>
    </div>
  )
}

/** Older messages are decrypted in batches; announcements stay off for this long after each. */
const quietMs = 1000

/** Whether older messages were just added. Already true in the render that adds them, before a screen reader reacts. */
function useIsPrepending(rows: readonly MessageRow[] | null): boolean {
  const oldest = oldestKey(rows)
  const [prepending, setPrepending] = useState({ oldest, isActive: false })
  if (prepending.oldest !== oldest) {
    const isActive = rows?.some(({ key }) => key === prepending.oldest) ?? false
    setPrepending({ oldest, isActive })
  }
  useEffect(() => {
    if (!prepending.isActive) return
    const timer = setTimeout(() => setPrepending((last) => ({ ...last, isActive: false })), quietMs)
    return () => clearTimeout(timer)
  }, [prepending])
  return prepending.isActive
}

/** Some lists show the newest message first. */
function oldestKey(rows: readonly MessageRow[] | null): string | null {
  const [first, last] = [rows?.[0], rows?.at(-1)]
  if (!first || !last) return null
  return first.time <= last.time ? first.key : last.key
}

function LoadingCards({ label }: { readonly label: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-2.5">
      {['first', 'second'].map((card) => (
        <div key={card} className="grid gap-2.5 rounded-card border border-line bg-surface px-4 py-3.5">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </div>
  )
}

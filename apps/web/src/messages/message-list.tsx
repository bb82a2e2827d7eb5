import { useEffect, useState } from 'react'
import { EmptyState } from '#/ui/empty-state.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { type MessageActions, MessageCard } from './message-card.tsx'
import type { MessageRow } from './rows.ts'

interface MessageListProps extends MessageActions {
  readonly texts: MessageListTexts
  /** In the order in which they are shown; null while they are on their way. */
  readonly rows: readonly MessageRow[] | null
}

/** What a list says of itself. */
interface MessageListTexts {
  readonly list: string
  readonly loading: string
  readonly emptyTitle: string
  readonly emptyHint: string
}

/** New messages are read out one by one; what was there when the list came is not, and what is older neither. */
export function MessageList({ rows, texts, ...actions }: MessageListProps) {
  const isGrowingBack = useGrowingBack(rows)
  if (rows === null) return <LoadingCards label={texts.loading} />
  return (
    <div
      role="log"
      aria-label={texts.list}
      aria-relevant="additions"
      aria-live={isGrowingBack ? 'off' : 'polite'}
      aria-busy={isGrowingBack || undefined}
    >
      {rows.length === 0 ? <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} /> : null}
      <ul className="grid grid-cols-1 gap-2.5">
        {rows.map((row) => (
          <MessageCard key={row.key} row={row} {...actions} />
        ))}
      </ul>
    </div>
  )
}

/** Older messages are opened a few at a time, and each addition keeps the list quiet for so long. */
const quietMs = 1000

/** Whether older messages were just added. Holds in the same render that adds them, before a screen reader looks. */
function useGrowingBack(rows: readonly MessageRow[] | null): boolean {
  const oldest = oldestKey(rows)
  const [growth, setGrowth] = useState({ oldest, isGoingOn: false })
  if (growth.oldest !== oldest) {
    const isGoingOn = rows?.some(({ key }) => key === growth.oldest) ?? false
    setGrowth({ oldest, isGoingOn })
  }
  useEffect(() => {
    if (!growth.isGoingOn) return
    const timer = setTimeout(() => setGrowth((last) => ({ ...last, isGoingOn: false })), quietMs)
    return () => clearTimeout(timer)
  }, [growth])
  return growth.isGoingOn
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

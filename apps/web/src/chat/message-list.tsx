import { EmptyState } from '#/ui/empty-state.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { chatWords } from '#/words/chat.ts'
import { type MessageActions, MessageCard } from './message-card.tsx'
import type { MessageRow } from './rows.ts'

interface MessageListProps extends MessageActions {
  /** In the order in which they are shown; null while they are on their way. */
  readonly rows: readonly MessageRow[] | null
}

/** New messages are read out one by one; what was there when the list came is not. */
export function MessageList({ rows, onCopy, onDelete }: MessageListProps) {
  if (rows === null) return <LoadingCards />
  return (
    <div role="log" aria-label={chatWords.list} aria-relevant="additions">
      {rows.length === 0 ? <EmptyState title={chatWords.emptyTitle} hint={chatWords.emptyHint} /> : null}
      <ul className="grid grid-cols-1 gap-2.5">
        {rows.map((row) => (
          <MessageCard key={row.key} row={row} onCopy={onCopy} onDelete={onDelete} />
        ))}
      </ul>
    </div>
  )
}

function LoadingCards() {
  return (
    <div role="status" aria-label={chatWords.loading} className="grid gap-2.5">
      {['first', 'second'].map((card) => (
        <div key={card} className="grid gap-2.5 rounded-card border border-line bg-surface px-4 py-3.5">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </div>
  )
}

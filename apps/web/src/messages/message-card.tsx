import { Copy, Trash2 } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { chatWords } from '#/words/chat.ts'
import { ClampedText } from './clamped-text.tsx'
import type { MessageAuthor } from './message-book.ts'
import { MessageTime } from './message-time.tsx'
import type { MessageRow } from './rows.ts'
import { TimeLeft } from './time-left.tsx'

export interface MessageActions {
  readonly onCopy: (text: string) => void
  /** Left out where messages are not deleted one by one. */
  readonly onDelete?: (id: string) => void
}

interface MessageCardProps extends MessageActions {
  readonly row: MessageRow
}

/** One message: dimmed until the server has it. */
export const MessageCard = memo(function MessageCard({ row, ...actions }: MessageCardProps) {
  return (
    <li
      aria-busy={row.id === null || undefined}
      className="message-card flex items-start gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3.5 shadow-rest max-md:px-3.5 max-md:py-3"
    >
      <div className="min-w-0 flex-1">
        {row.author ? <Author {...row.author} /> : null}
        {row.text === null ? (
          <>
            <p className="text-base text-ink-2 italic">{chatWords.unreadable}</p>
            <MetaLine row={row} more={null} />
          </>
        ) : (
          <ClampedText text={row.text}>{(more) => <MetaLine row={row} more={more} />}</ClampedText>
        )}
      </div>
      <CardActions row={row} {...actions} />
    </li>
  )
}, isSame)

/** Who wrote it, as they call themselves: anybody may take any name. */
function Author({ name, isMe }: MessageAuthor) {
  return (
    <p className="mb-0.5 flex items-baseline gap-2 text-xs text-ink-2">
      <bdi className="truncate font-semibold text-ink">{name}</bdi>
      {isMe ? <span className="text-ink-3">{chatWords.you}</span> : null}
    </p>
  )
}

/** Rows are made anew with each change of the list, mostly as they were. */
function isSame(before: MessageCardProps, after: MessageCardProps): boolean {
  const [one, other] = [before.row, after.row]
  const isSameRow =
    one.id === other.id && one.text === other.text && one.time === other.time && one.author?.name === other.author?.name
  return (
    isSameRow &&
    one.lifetime?.until === other.lifetime?.until &&
    before.onCopy === after.onCopy &&
    before.onDelete === after.onDelete
  )
}

function MetaLine({ row, more }: { readonly row: MessageRow; readonly more: ReactNode }) {
  return (
    <div className="mt-2 flex min-h-5 flex-wrap items-center gap-x-3.5 gap-y-1 text-xs text-ink-2">
      <MessageTime time={row.time} isByDeviceClock={row.isByDeviceClock} />
      {row.lifetime ? <TimeLeft {...row.lifetime} /> : <span>{chatWords.sending}</span>}
      {more}
    </div>
  )
}

function CardActions({ row, onCopy, onDelete }: MessageCardProps) {
  const isPhone = useIsPhone()
  const { id, text } = row
  const copy = () => text !== null && onCopy(text)
  const remove = () => id !== null && onDelete?.(id)
  const subject = text === null ? '' : text.slice(0, 40)
  if (isPhone) {
    return (
      <div className="-me-2 flex shrink-0">
        <IconButton
          label={`${chatWords.copy}: ${subject}`}
          disabled={text === null}
          icon={<Copy aria-hidden size={18} strokeWidth={1.75} />}
          onClick={copy}
        />
        {onDelete ? (
          <IconButton
            label={`${chatWords.delete}: ${subject}`}
            variant="danger-quiet"
            disabled={id === null}
            icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
            onClick={remove}
          />
        ) : null}
      </div>
    )
  }
  return (
    <div className="flex shrink-0 gap-2">
      <Button size="compact" disabled={text === null} onClick={copy}>
        {chatWords.copy}
        <span className="sr-only"> {subject}</span>
      </Button>
      {onDelete ? (
        <Button size="compact" variant="danger-quiet" disabled={id === null} onClick={remove}>
          {chatWords.delete}
          <span className="sr-only"> {subject}</span>
        </Button>
      ) : null}
    </div>
  )
}

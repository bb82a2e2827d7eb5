import { Copy, Trash2 } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Name } from '#/components/names/name.tsx'
import { Button } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { chatStrings } from '#/strings/chat.ts'
import type { MessageAuthor } from '../message-cache.ts'
import { ClampedText } from './clamped-text.tsx'
import type { MessageRow } from './message-rows.ts'
import { MessageTime } from './message-time.tsx'
import { TimeLeft } from './time-left.tsx'

export interface MessageActions {
  readonly onCopy: (text: string) => void
  /** Absent where messages cannot be deleted individually. */
  readonly onDelete?: (id: string) => void
}

interface MessageCardProps extends MessageActions {
  readonly row: MessageRow
}

/** One message, dimmed until the server has stored it. */
export const MessageCard = memo(function MessageCard({ row, ...actions }: MessageCardProps) {
  return (
    <li
      aria-busy={row.id === null || undefined}
      className={classNames(
        'message-card flex items-start gap-x-4 gap-y-2 rounded-card border border-line px-4 py-3.5 shadow-rest max-md:px-3.5 max-md:py-3',
        row.author?.isMe ? 'bg-seal-soft' : 'bg-surface',
        row.author && (row.author.isMe ? 'ms-8 md:ms-24' : 'me-8 md:me-24'),
      )}
    >
      <div className="min-w-0 flex-1">
        {row.author ? <Author {...row.author} /> : null}
        {row.text === null ? (
          <>
            <p className="text-base text-ink-2 italic">{chatStrings.unreadable}</p>
            <MetaLine row={row} more={null} />
          </>
        ) : (
          <ClampedText text={row.text}>{(more) => <MetaLine row={row} more={more} />}</ClampedText>
        )}
      </div>
      <CardActions row={row} {...actions} />
    </li>
  )
}, areEqual)

/** The author's chosen name. Anybody may choose any name. */
function Author({ name, isMe }: MessageAuthor) {
  return (
    <p className="mb-0.5 flex items-baseline gap-2 text-xs text-ink-2">
      <Name className="truncate font-semibold text-ink">{name}</Name>
      {isMe ? <span className="text-ink-3">{chatStrings.you}</span> : null}
    </p>
  )
}

/** Compares rows by value, because each list update creates new row objects. */
function areEqual(before: MessageCardProps, after: MessageCardProps): boolean {
  const [previous, next] = [before.row, after.row]
  const isSameRow =
    previous.id === next.id &&
    previous.text === next.text &&
    previous.time === next.time &&
    previous.warning === next.warning &&
    previous.author?.name === next.author?.name
  return (
    isSameRow &&
    previous.lifetime?.until === next.lifetime?.until &&
    before.onCopy === after.onCopy &&
    before.onDelete === after.onDelete
  )
}

function MetaLine({ row, more }: { readonly row: MessageRow; readonly more: ReactNode }) {
  return (
    <div className="mt-2 flex min-h-5 flex-wrap items-center gap-x-3.5 gap-y-1 text-xs text-ink-2">
      <MessageTime time={row.time} isByDeviceClock={row.isByDeviceClock} />
      {row.lifetime ? <TimeLeft {...row.lifetime} /> : <span>{chatStrings.sending}</span>}
      {row.warning ? <span className="text-ink-3">{chatStrings.warnings[row.warning]}</span> : null}
      {more}
    </div>
  )
}

function CardActions({ row, onCopy, onDelete }: MessageCardProps) {
  const isPhone = useIsPhone()
  const { id, text } = row
  const copy = () => text !== null && onCopy(text)
  const remove = () => id !== null && onDelete?.(id)
  const excerpt = text === null ? '' : text.slice(0, 40)
  if (isPhone) {
    return (
      <div className="-me-2 flex shrink-0">
        <IconButton
          label={`${chatStrings.copy}: ${excerpt}`}
          disabled={text === null}
          icon={<Copy aria-hidden size={18} strokeWidth={1.75} />}
          onClick={copy}
        />
        {onDelete ? (
          <IconButton
            label={`${chatStrings.delete}: ${excerpt}`}
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
        {chatStrings.copy}
        <span className="sr-only"> {excerpt}</span>
      </Button>
      {onDelete ? (
        <Button size="compact" variant="danger-quiet" disabled={id === null} onClick={remove}>
          {chatStrings.delete}
          <span className="sr-only"> {excerpt}</span>
        </Button>
      ) : null}
    </div>
  )
}

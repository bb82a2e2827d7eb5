import { Copy, Trash2 } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { chatWords } from '#/words/chat.ts'
import { ClampedText } from './clamped-text.tsx'
import { MessageTime } from './message-time.tsx'
import type { MessageRow } from './rows.ts'
import { TimeLeft } from './time-left.tsx'

export interface MessageActions {
  readonly onCopy: (text: string) => void
  readonly onDelete: (id: string) => void
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

/** Rows are made anew with each change of the list, mostly as they were. */
function isSame(before: MessageCardProps, after: MessageCardProps): boolean {
  const [one, other] = [before.row, after.row]
  const isSameRow = one.id === other.id && one.text === other.text && one.time === other.time
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
  const remove = () => id !== null && onDelete(id)
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
        <IconButton
          label={`${chatWords.delete}: ${subject}`}
          variant="danger-quiet"
          disabled={id === null}
          icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
          onClick={remove}
        />
      </div>
    )
  }
  return (
    <div className="flex shrink-0 gap-2">
      <Button size="compact" disabled={text === null} onClick={copy}>
        {chatWords.copy}
        <span className="sr-only"> {subject}</span>
      </Button>
      <Button size="compact" variant="danger-quiet" disabled={id === null} onClick={remove}>
        {chatWords.delete}
        <span className="sr-only"> {subject}</span>
      </Button>
    </div>
  )
}

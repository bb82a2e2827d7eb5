import { anonymousParticipant, type Participant } from '@sallyport/contract/session-shapes'
import { useState, useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { useToast } from '#/ui/toast.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { nameKeyOf } from './name-key.ts'
import { useRoom, useSession } from './sessions-context.ts'

interface PeopleDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

const noNames: ReadonlyMap<string, string> = new Map()
const neverChanges = () => () => undefined

/** Everybody who has joined; the creator may remove them again. */
export function PeopleDialog({ open, onClose }: PeopleDialogProps) {
  const room = useRoom()
  const session = useSession()
  const opened = useSyncExternalStore(room.open.subscribe, room.open.current)
  const names = useSyncExternalStore(
    opened?.peopleNames.subscribe ?? neverChanges,
    opened?.peopleNames.current ?? (() => noNames),
  )
  const toast = useToast()
  const [asked, setAsked] = useState<Participant | null>(null)
  const nameOf = (participant: Participant) => names.get(nameKeyOf(participant)) ?? anonymousParticipant

  async function remove({ id }: Participant) {
    setAsked(null)
    try {
      await room.remove(id)
    } catch (error) {
      toast({ text: speak(error, sessionWords.removeFailed), tone: 'rust', urgent: true })
    }
  }

  return (
    <Dialog open={open} onOpenChange={onClose} title={sessionWords.peopleTitle}>
      <ul className="-my-2 divide-y divide-line">
        {session.participants.map((person) => (
          <li key={person.id} className="flex min-h-12 items-center justify-between gap-3 py-2">
            <span className="flex min-w-0 flex-wrap items-center gap-2">
              <bdi className="truncate text-base font-semibold">{nameOf(person)}</bdi>
              {person.id === session.participant_id ? <Badge tone="neutral">{sessionWords.me}</Badge> : null}
              {person.is_creator ? <Badge>{sessionWords.creator}</Badge> : null}
              {person.present ? null : <span className="text-xs text-ink-3">{sessionWords.away}</span>}
            </span>
            {session.is_creator && person.id !== session.participant_id ? (
              <Button size="compact" variant="danger-quiet" onClick={() => setAsked(person)}>
                {sessionWords.remove}
                <span className="sr-only"> {nameOf(person)}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={sessionWords.removeTitle}
        description={asked ? sessionWords.removeQuestion(nameOf(asked)) : ''}
        confirmLabel={sessionWords.remove}
        onConfirm={() => asked && void remove(asked)}
      />
    </Dialog>
  )
}

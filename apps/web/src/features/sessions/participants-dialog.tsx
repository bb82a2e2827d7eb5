import { createSubject } from '@sallyport/client/observable'
import type { Participant } from '@sallyport/contract/session-shapes'
import { useState } from 'react'
import { Name } from '#/components/names/name.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { nameInSentence } from '#/components/names/visible-text.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useCommand } from '#/components/ui/hooks/use-command.ts'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDateTime } from '#/strings/format.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { nameKeyOf } from './room/name-key.ts'
import { useCurrentSession, useSession } from './sessions-context.ts'

interface ParticipantsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

const formatTime = (time: number): string => formatDateTime(time, { timeStyle: 'short' })

/** The names while the session is locked. */
const noNames = createSubject<ReadonlyMap<string, string | null>>(new Map())

/** Lists all participants. The creator can remove them. */
export function ParticipantsDialog({ open, onClose }: ParticipantsDialogProps) {
  const currentSession = useCurrentSession()
  const session = useSession()
  const unlocked = useObservable(currentSession.unlocked)
  const names = useObservable(unlocked?.participantNames ?? noNames)
  const [participantToRemove, setParticipantToRemove] = useState<Participant | null>(null)
  const nameOf = (participant: Participant) =>
    names.get(nameKeyOf(participant)) ?? currentSession.anonymousNameOf(participant.id)

  const { mutate: remove } = useCommand(currentSession.remove, (error) =>
    messageFor(error, sessionStrings.removeFailed),
  )

  function confirmRemoval() {
    if (participantToRemove) remove(participantToRemove.id)
    setParticipantToRemove(null)
  }

  return (
    <Dialog open={open} onOpenChange={onClose} title={sessionStrings.peopleTitle}>
      <ul className="-my-2 divide-y divide-line">
        {session.participants.map((participant) => (
          <li key={participant.id} className="flex min-h-12 items-center justify-between gap-3 py-2">
            <span className="flex min-w-0 flex-wrap items-center gap-2">
              <Name className="truncate text-base font-semibold">{nameOf(participant)}</Name>
              {participant.id === session.participant_id ? <Badge tone="neutral">{sessionStrings.me}</Badge> : null}
              {participant.is_creator ? <Badge>{sessionStrings.creator}</Badge> : null}
              <span className="text-xs text-ink-3">{sessionStrings.joinedAt(formatTime(participant.joined_at))}</span>
              {participant.present ? null : <Badge tone="neutral">{sessionStrings.away}</Badge>}
            </span>
            {session.is_creator && participant.id !== session.participant_id ? (
              <Button size="compact" variant="danger-quiet" onClick={() => setParticipantToRemove(participant)}>
                {sessionStrings.remove}
                <span className="sr-only"> {visibleName(nameOf(participant))}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={participantToRemove !== null}
        onOpenChange={() => setParticipantToRemove(null)}
        title={sessionStrings.removeTitle}
        description={
          participantToRemove ? sessionStrings.removeQuestion(nameInSentence(nameOf(participantToRemove))) : ''
        }
        confirmLabel={sessionStrings.remove}
        onConfirm={confirmRemoval}
      />
    </Dialog>
  )
}

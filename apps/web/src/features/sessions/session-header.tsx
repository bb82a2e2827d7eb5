import { countPresent } from '@sallyport/client/sessions/read-session'
import { Settings, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { PinPlates } from '#/components/brand/pin-plates.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { InviteDialog } from './joining/invite-dialog.tsx'
import { ParticipantsDialog } from './participants-dialog.tsx'
import { useCurrentSession, useSession, useSessions } from './sessions-context.ts'
import { SettingsDialog } from './settings-dialog.tsx'

type OpenDialog = 'invite' | 'people' | 'settings' | 'end' | null

/** Shows the PIN as the title, the participants, and the actions for the whole session. */
export function SessionHeader() {
  const { leave } = useSessions()
  const currentSession = useCurrentSession()
  const session = useSession()
  const me = useObservable(currentSession.me)
  // A person without the key of a private session has no link with its secret, reads nothing that it protects, and does
  // not take part yet.
  const isUnlocked = useObservable(currentSession.unlocked) !== null
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const close = () => setOpenDialog(null)
  const participantCount = sessionStrings.participantCount(countPresent(session))

  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1>
            <PinPlates pin={currentSession.pin} size="small" />
          </h1>
          <CopyButton
            label={sessionStrings.copyPin}
            subject={sessionStrings.copyPinSubject}
            onCopy={() => copyText(Promise.resolve(currentSession.pin))}
          />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {isUnlocked ? (
            <Button
              size="compact"
              variant={currentSession.keyMode === 'secret' ? 'primary' : 'secondary'}
              icon={<UserPlus aria-hidden size={16} strokeWidth={1.75} />}
              onClick={() => setOpenDialog('invite')}
            >
              {sessionStrings.invite}
            </Button>
          ) : null}
          <Button
            size="compact"
            icon={<Settings aria-hidden size={16} strokeWidth={1.75} />}
            onClick={() => setOpenDialog('settings')}
          >
            {sessionStrings.settings}
          </Button>
          <Button
            size="compact"
            variant="danger-outline"
            onClick={() => (session.is_creator ? setOpenDialog('end') : void leave())}
          >
            {sessionStrings.leave}
          </Button>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-2">
        {isUnlocked ? (
          <button
            type="button"
            className={participantsButtonClass}
            aria-label={`${participantCount}, ${sessionStrings.people}`}
            onClick={() => setOpenDialog('people')}
          >
            <Users aria-hidden size={16} strokeWidth={1.75} />
            <span>{participantCount}</span>
          </button>
        ) : null}
        <bdi className="max-w-60 truncate">{sessionStrings.you(visibleName(me.name))}</bdi>
        {isUnlocked ? (
          <Badge tone={currentSession.keyMode === 'secret' ? 'seal' : 'brass'}>
            {sessionStrings.badge[currentSession.keyMode]}
          </Badge>
        ) : (
          <Badge tone="neutral">{sessionStrings.lockedBadge}</Badge>
        )}
      </div>
      {isUnlocked ? <p className="text-xs text-ink-3">{sessionStrings.protection[currentSession.keyMode]}</p> : null}
      <InviteDialog open={openDialog === 'invite'} onClose={close} />
      <ParticipantsDialog open={openDialog === 'people'} onClose={close} />
      <ConfirmDialog
        open={openDialog === 'end'}
        onOpenChange={close}
        title={sessionStrings.endTitle}
        description={sessionStrings.endQuestion}
        confirmLabel={sessionStrings.end}
        onConfirm={() => void leave()}
      />
      <SettingsDialog key={String(openDialog === 'settings')} open={openDialog === 'settings'} onClose={close} />
    </header>
  )
}

const participantsButtonClass =
  '-mx-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-segment px-1.5 font-semibold text-ink decoration-1 ' +
  'underline-offset-3 hover:underline pointer-coarse:min-h-11'

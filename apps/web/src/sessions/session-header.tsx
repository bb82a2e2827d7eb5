import { countPresent } from '@sallyport/client/sessions/read-session'
import { Settings, UserPlus, Users } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { PinPlates } from '#/motifs/pin-plates.tsx'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { sessionWords } from '#/words/sessions.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PeopleDialog } from './people-dialog.tsx'
import { useRoom, useSession, useSessions } from './sessions-context.ts'
import { SettingsDialog } from './settings-dialog.tsx'

type Shown = 'invite' | 'people' | 'settings' | null

/** The PIN as the title, who is here, and what can be done with the session as a whole. */
export function SessionHeader() {
  const { leave } = useSessions()
  const room = useRoom()
  const session = useSession()
  const me = useSyncExternalStore(room.me.subscribe, room.me.current)
  const [shown, setShown] = useState<Shown>(null)
  const close = () => setShown(null)

  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1>
            <PinPlates pin={room.pin} size="small" />
          </h1>
          <CopyButton
            label={sessionWords.copyPin}
            subject={sessionWords.copyPinOf}
            onCopy={() => copyText(Promise.resolve(room.pin))}
          />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="compact"
            icon={<UserPlus aria-hidden size={16} strokeWidth={1.75} />}
            onClick={() => setShown('invite')}
          >
            {sessionWords.invite}
          </Button>
          <Button
            size="compact"
            icon={<Settings aria-hidden size={16} strokeWidth={1.75} />}
            onClick={() => setShown('settings')}
          >
            {sessionWords.settings}
          </Button>
          <Button size="compact" variant="danger-outline" onClick={() => void leave()}>
            {sessionWords.leave}
          </Button>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-2">
        <button type="button" className={peopleClass} onClick={() => setShown('people')}>
          <Users aria-hidden size={16} strokeWidth={1.75} />
          <span>{sessionWords.here(countPresent(session))}</span>
          <span className="sr-only">, {sessionWords.people}</span>
        </button>
        <bdi className="max-w-60 truncate">{sessionWords.you(me.name)}</bdi>
        <Badge tone={room.keyMode === 'secret' ? 'seal' : 'brass'}>{sessionWords.badge[room.keyMode]}</Badge>
      </div>
      <p className="text-xs text-ink-3">{sessionWords.protection[room.keyMode]}</p>
      <InviteDialog open={shown === 'invite'} onClose={close} />
      <PeopleDialog open={shown === 'people'} onClose={close} />
      <SettingsDialog key={String(shown === 'settings')} open={shown === 'settings'} onClose={close} />
    </header>
  )
}

const peopleClass =
  '-mx-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-segment px-1.5 font-semibold text-ink decoration-1 ' +
  'underline-offset-3 hover:underline pointer-coarse:min-h-11'

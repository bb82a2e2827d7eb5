import type { Observable } from '@sallyport/client/observable'
import type { LiveEvent } from '@sallyport/contract/live'
import type { Session } from '@sallyport/contract/session-shapes'
import type { SessionEndReason } from './current-session.ts'
import type { SessionAdmissionRelay } from './session-admission-relay.ts'
import type { SessionFileUpdates } from './session-file-updates.ts'
import type { UnlockedSessionState } from './unlocked-session.ts'
import type { UnreadMessages } from './unread-messages.ts'

interface SessionEventContext {
  readonly session: Observable<Session>
  readonly unlocked: Observable<UnlockedSessionState | null>
  readonly unread: Pick<UnreadMessages, 'add'>
  readonly files: Pick<SessionFileUpdates, 'onInserted' | 'onDeleted'>
  readonly relay: SessionAdmissionRelay
  readonly applySession: (session: Session) => void
  /** Fetches the session again. */
  readonly refresh: () => void
  readonly refreshLists: () => void
  readonly onEnded: (reason: SessionEndReason) => void
}

/** Applies a live event to the local state of a session. */
export function handleSessionEvent(event: LiveEvent, context: SessionEventContext): void {
  const { session, unlocked, unread, files, relay, applySession, refresh, refreshLists, onEnded } = context
  switch (event.type) {
    case 'ready':
      // Events before the connection was established were missed.
      refresh()
      refreshLists()
      break
    case 'session.message.inserted':
      unread.add()
      unlocked.current()?.sync.onInserted(event.id, event.createdAt)
      break
    case 'session.file.inserted':
      files.onInserted(event.file)
      break
    case 'session.file.deleted':
      files.onDeleted(event.id)
      break
    case 'session.settings':
      applySession({ ...session.current(), ...event.settings })
      break
    case 'session.peers':
      applySession({ ...session.current(), participants: event.participants })
      break
    case 'session.key':
    case 'session.knocks':
      refresh()
      break
    case 'session.admission':
      relay.handleMessage(event.admission)
      break
    case 'session.closed':
      onEnded(event.reason)
      break
  }
}

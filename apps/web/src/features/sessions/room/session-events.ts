import type { Observable } from '@sallyport/client/observable'
import type { LiveEvent } from '@sallyport/contract/live'
import type { Session, SessionFile } from '@sallyport/contract/session-shapes'
import type { QueryClient } from '@tanstack/react-query'
import { filesKey } from '../session.queries.ts'
import type { SessionEndReason } from './current-session.ts'
import type { SessionAdmissionRelay } from './session-admission-relay.ts'
import type { UnlockedSessionState } from './unlocked-session.ts'

interface SessionEventContext {
  readonly id: string
  readonly queries: QueryClient
  readonly session: Observable<Session>
  readonly unlocked: Observable<UnlockedSessionState | null>
  readonly relay: SessionAdmissionRelay
  readonly applySession: (session: Session) => void
  /** Fetches the session again. */
  readonly refresh: () => void
  readonly refreshLists: () => void
  readonly onEnded: (ending: Exclude<SessionEndReason, 'left'>) => void
}

/** Applies a live event to the local state of a session. */
export function handleSessionEvent(event: LiveEvent, context: SessionEventContext): void {
  const { session, unlocked, relay, applySession, refresh, refreshLists, onEnded } = context
  switch (event.type) {
    case 'ready':
      // Events before the connection was established were missed.
      refresh()
      refreshLists()
      break
    case 'session.message.inserted':
      unlocked.current()?.sync.onInserted(event.id, event.createdAt)
      break
    case 'session.file.inserted':
      updateFiles(context, (files) => [event.file, ...files.filter(({ id }) => id !== event.file.id)])
      break
    case 'session.file.deleted':
      updateFiles(context, (files) => files.filter(({ id }) => id !== event.id))
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

function updateFiles(
  { id, queries, refreshLists }: SessionEventContext,
  update: (files: readonly SessionFile[]) => readonly SessionFile[],
): void {
  const queryKey = filesKey(id)
  // A running request may return an older list than this event implies.
  if (queries.isFetching({ queryKey }) > 0) refreshLists()
  queries.setQueryData<readonly SessionFile[]>(queryKey, (files) => files && update(files))
}

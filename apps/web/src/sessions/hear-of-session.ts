import type { Observable } from '@sallyport/client/observable'
import type { LiveEvent } from '@sallyport/contract/live'
import type { Session, SessionFile } from '@sallyport/contract/session-shapes'
import type { QueryClient } from '@tanstack/react-query'
import type { OpenedRoom } from './open-room.ts'
import type { Ending } from './room.ts'
import type { RoomRelay } from './room-relay.ts'
import { filesKey } from './session.queries.ts'

interface Parts {
  readonly id: string
  readonly queries: QueryClient
  readonly session: Observable<Session>
  readonly open: Observable<OpenedRoom | null>
  readonly relay: RoomRelay
  readonly take: (session: Session) => void
  /** Asks for the session itself anew. */
  readonly refresh: () => void
  readonly refreshLists: () => void
  readonly onEnded: (ending: Exclude<Ending, 'left'>) => void
}

/** Changes what is shown of a session as the server tells of changes in it. */
export function hearOfSession(event: LiveEvent, parts: Parts): void {
  const { session, open, relay, take, refresh, refreshLists, onEnded } = parts
  switch (event.type) {
    case 'ready':
      // What happened before the connection stood was missed.
      refresh()
      refreshLists()
      break
    case 'session.message.inserted':
      open.current()?.news.hearOfNew(event.id, event.createdAt)
      break
    case 'session.file.inserted':
      changeFiles(parts, (files) => [event.file, ...files.filter(({ id }) => id !== event.file.id)])
      break
    case 'session.file.deleted':
      changeFiles(parts, (files) => files.filter(({ id }) => id !== event.id))
      break
    case 'session.settings':
      take({ ...session.current(), ...event.settings })
      break
    case 'session.peers':
      take({ ...session.current(), participants: event.participants })
      break
    case 'session.key':
    case 'session.knocks':
      refresh()
      break
    case 'session.admission':
      relay.hear(event.admission)
      break
    case 'session.closed':
      onEnded(event.reason)
      break
  }
}

function changeFiles(
  { id, queries, refreshLists }: Parts,
  change: (files: readonly SessionFile[]) => readonly SessionFile[],
): void {
  const queryKey = filesKey(id)
  // An answer that is on its way may be older than what was just heard.
  if (queries.isFetching({ queryKey }) > 0) refreshLists()
  queries.setQueryData<readonly SessionFile[]>(queryKey, (files) => files && change(files))
}

import type { Observable } from '@sallyport/client/observable'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { CurrentSession } from './room/current-session.ts'
import { useSessionState } from './sessions-context.ts'

/** What waits for the user in the session: unread messages and people who ask to join. */
export function SessionBadge() {
  const state = useSessionState()
  return state.phase === 'inside' ? <Count session={state.session} /> : null
}

function Count({ session }: { readonly session: CurrentSession }) {
  const { knocks } = useObservable(session.session)
  const admissions = useObservable(session.admissionQueue)
  const unreadCount = useObservable(session.unread)
  const requestCount = knocks.length + admissions.length
  if (unreadCount + requestCount === 0) return null
  return (
    <CountBadge count={unreadCount + requestCount}>
      {[
        requestCount > 0 ? sessionStrings.joinRequests(requestCount) : null,
        unreadCount > 0 ? sessionStrings.unread(unreadCount) : null,
      ]
        .filter((text) => text !== null)
        .join(', ')}
    </CountBadge>
  )
}

/** The number of unread messages of the session, next to the name of its chat. */
export function UnreadBadge({ unread }: { readonly unread: Observable<number> }) {
  const count = useObservable(unread)
  return count === 0 ? null : <CountBadge count={count}>{sessionStrings.unread(count)}</CountBadge>
}

const badgeClass =
  'num inline-flex min-w-5 items-center justify-center rounded-full bg-seal px-1.5 text-2xs leading-5 font-semibold text-on-seal ' +
  'forced-colors:border'

interface CountBadgeProps {
  readonly count: number
  /** Read out instead of the number. */
  readonly children: string
}

function CountBadge({ count, children }: CountBadgeProps) {
  return (
    <span className={badgeClass}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">, {children}</span>
    </span>
  )
}

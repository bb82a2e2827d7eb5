import { serverClock } from '@sallyport/browser/server-clock'
import { useLocation, useNavigate } from 'react-router'

interface UnconfirmedEmail {
  readonly email: string
  /** When the link was sent, in epoch milliseconds. */
  readonly sentAt: number
}

/** The email address that has to be confirmed. It is in this tab's history, so that a reload does not lose it. */
export function useUnconfirmedEmail() {
  const location = useLocation()
  const navigate = useNavigate()
  const replaceState = (state: object | null) =>
    void navigate(location, { replace: true, state, preventScrollReset: true })
  return {
    unconfirmed: readState(location.state),
    /** The link was sent just now. */
    setUnconfirmed: (email: string) => replaceState({ email, confirmationSentAt: serverClock.now() }),
    clear: () => replaceState(null),
  }
}

function readState(state: unknown): UnconfirmedEmail | null {
  if (typeof state !== 'object' || state === null) return null
  const { email, confirmationSentAt: sentAt } = state as Record<string, unknown>
  return typeof email === 'string' && typeof sentAt === 'number' ? { email, sentAt } : null
}

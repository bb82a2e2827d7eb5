import { Banner } from '#/components/ui/banner.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import type { SessionEnd } from './room/session-controller.ts'
import { useSessionState, useSessions } from './sessions-context.ts'

/** Tells why the session has ended, and how many uploads were cancelled. */
export function SessionEndBanner() {
  const { dismissLastEnd } = useSessions()
  const state = useSessionState()
  const lastEnd = state.phase === 'outside' ? state.lastEnd : null
  const text = lastEnd && messageOf(lastEnd)
  if (!text) return null
  const isUrgent = lastEnd.cancelledUploads > 0 || lastEnd.reason === 'refused'
  return (
    <Banner tone={isUrgent ? 'rust' : 'neutral'} urgent={isUrgent} onDismiss={dismissLastEnd}>
      {text}
    </Banner>
  )
}

function messageOf({ reason, cancelledUploads }: SessionEnd): string | null {
  if (reason === 'refused') return sessionStrings.rejoinMismatch
  if (reason === 'left') return cancelledUploads > 0 ? sessionStrings.uploadLeft : null
  if (cancelledUploads > 0) return sessionStrings.uploadClosed
  return reason === 'removed' ? sessionStrings.removed : sessionStrings.closed
}

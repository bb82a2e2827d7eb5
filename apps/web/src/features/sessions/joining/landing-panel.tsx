import { Banner } from '#/components/ui/banner.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { SessionEndBanner } from '../session-end-banner.tsx'
import { useSessionState } from '../sessions-context.ts'
import { JoinForm } from './join-form.tsx'

/** Joins a session from the front page, without an account. */
export function LandingPanel() {
  const state = useSessionState()
  const lastEnd = state.phase === 'outside' ? state.lastEnd : null
  const hasLeft = lastEnd?.reason === 'left' && lastEnd.cancelledUploads === 0
  return (
    <div className="grid gap-4">
      <SessionEndBanner />
      {hasLeft ? <Banner>{sessionStrings.left}</Banner> : null}
      <JoinForm isMain note={sessionStrings.noAccount} />
    </div>
  )
}

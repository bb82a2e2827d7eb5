import { Banner } from '#/components/ui/banner.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { SessionEndBanner } from '../session-end-banner.tsx'
import { useSessionState } from '../sessions-context.ts'
import { JoinForm } from './join-form.tsx'

/** Joins a session from the front page, without an account. */
export function LandingPanel() {
  const state = useSessionState()
  const hasLeft = state.phase === 'outside' && state.lastEnd?.reason === 'left'
  return (
    <div className="grid gap-4">
      <SessionEndBanner />
      {hasLeft && state.lastEnd?.cancelledUploads === 0 ? <Banner>{sessionStrings.left}</Banner> : null}
      <JoinForm isMain note={sessionStrings.noAccount} />
    </div>
  )
}

import { Banner } from '#/ui/banner.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { JoinForm } from './join-form.tsx'
import { PartingBanner } from './parting-banner.tsx'
import { useWhereabouts } from './sessions-context.ts'

/** The way into a session for somebody without an account. */
export function LandingPanel() {
  const whereabouts = useWhereabouts()
  const hasLeft = whereabouts.phase === 'outside' && whereabouts.parting?.ending === 'left'
  return (
    <div className="grid gap-4">
      <PartingBanner />
      {hasLeft && whereabouts.parting?.uploadsCut === 0 ? <Banner>{sessionWords.left}</Banner> : null}
      <JoinForm isMain note={sessionWords.noAccount} />
    </div>
  )
}

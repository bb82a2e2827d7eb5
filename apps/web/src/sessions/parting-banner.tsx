import { Banner } from '#/ui/banner.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useSessions, useWhereabouts } from './sessions-context.ts'
import type { Parting } from './sessions-keeper.ts'

/** Why somebody is not in their session any more, and what that has cut off. */
export function PartingBanner() {
  const { forgetParting } = useSessions()
  const whereabouts = useWhereabouts()
  const parting = whereabouts.phase === 'outside' ? whereabouts.parting : null
  const text = parting && textOf(parting)
  if (!text) return null
  const isUrgent = parting.uploadsCut > 0 || parting.ending === 'refused'
  return (
    <Banner tone={isUrgent ? 'rust' : 'neutral'} urgent={isUrgent} onDismiss={forgetParting}>
      {text}
    </Banner>
  )
}

function textOf({ ending, uploadsCut }: Parting): string | null {
  if (ending === 'refused') return sessionWords.refusedAgain
  if (ending === 'left') return uploadsCut > 0 ? sessionWords.uploadLeft : null
  if (uploadsCut > 0) return sessionWords.uploadClosed
  return ending === 'removed' ? sessionWords.removed : sessionWords.closed
}

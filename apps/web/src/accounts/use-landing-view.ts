import { useLocation, useNavigate } from 'react-router'
import type { PickedPlan } from './plans.ts'

/** What the landing page shows. Kept in the address, so that Back works. */
export type LandingView = 'signin' | 'signup' | 'trial' | 'forgot' | 'joinSession'

const views: readonly LandingView[] = ['signin', 'signup', 'trial', 'forgot', 'joinSession']

export function useLandingView() {
  const { hash, state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const view = views.find((name) => hash === `#${name}`) ?? 'signin'

  function show(next: LandingView, picked?: PickedPlan): void {
    if (next === view) return
    void navigate({ pathname, search, hash: next }, { state: picked ? { picked } : null, preventScrollReset: true })
  }

  return { view, show, picked: readPicked(state), knownEmail: readEmail(state) }
}

function readPicked(state: unknown): PickedPlan {
  const isPersonal = typeof state === 'object' && state !== null && 'picked' in state && state.picked === 'personal'
  return isPersonal ? 'personal' : 'trial'
}

/** What a page before this one was told, so that nobody types it twice. */
function readEmail(state: unknown): string {
  const isGiven = typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
  return isGiven ? String(state.email) : ''
}

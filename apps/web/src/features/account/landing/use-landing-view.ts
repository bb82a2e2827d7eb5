import { useLocation, useNavigate } from 'react-router'
import type { PickedPlan } from '../sign-up/plans.ts'

/** What the landing page shows. It is in the URL fragment, so that Back works. */
export type LandingView = 'signin' | 'signup' | 'trial' | 'business' | 'forgot' | 'joinSession'

const views: readonly LandingView[] = ['signin', 'signup', 'trial', 'business', 'forgot', 'joinSession']

export function useLandingView() {
  const { hash, state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const view = viewIn(hash)

  /** The trial form is the one of the personal plan, too. */
  const pick = (plan: PickedPlan): void => (plan === 'business' ? show('business') : show('trial', plan))

  function show(next: LandingView, picked?: PickedPlan): void {
    // A tab reports its focus and its click, the latter perhaps before the page has rendered again.
    if (next === viewIn(window.location.hash)) return
    void navigate({ pathname, search, hash: next }, { state: picked ? { picked } : null, preventScrollReset: true })
  }

  return { view, show, pick, pickedPlan: pickedIn(view, state), knownEmail: readEmail(state) }
}

const viewIn = (hash: string): LandingView => views.find((name) => hash === `#${name}`) ?? 'signin'

/** Null while the plans are shown. */
function pickedIn(view: LandingView, state: unknown): PickedPlan | null {
  if (view !== 'trial') return view === 'business' ? view : null
  const isPersonal = typeof state === 'object' && state !== null && 'picked' in state && state.picked === 'personal'
  return isPersonal ? 'personal' : 'trial'
}

/** The email address that was entered on the previous page, so that it need not be typed again. */
function readEmail(state: unknown): string {
  const hasEmail = typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
  return hasEmail ? String(state.email) : ''
}

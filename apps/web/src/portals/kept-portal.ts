import { createSubject } from '@sallyport/client/observable'
import type { PortalWork } from './portal-context.ts'

/** The portal of this page once somebody has asked for it: what every screen has to tell of it hangs on this. */
export const openPortal = createSubject<PortalWork | null>(null)

/** Why the portal of a visitor is no more. */
export interface LastWord {
  readonly text: string
  readonly isFailure: boolean
}

/** The same for the page where they find themselves then; null once they have read it. */
export const lastWord = createSubject<LastWord | null>(null)

let kept: PortalWork | undefined

/** The portal of this page, made when it is first asked for: it stays open while somebody looks at something else. */
export function keptPortal(make: () => PortalWork): PortalWork {
  if (kept) return kept
  const made = make()
  kept = made
  // Not in the midst of drawing the screen that has asked for it.
  queueMicrotask(() => openPortal.set(made))
  return made
}

/** Ends the portal of this page, if one is open, and with it all that it held. */
export const closePortal = (): void => kept?.portal.close()

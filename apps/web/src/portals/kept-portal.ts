import type { PortalWork } from './portal-context.ts'

let kept: PortalWork | undefined

/** The portal of this page, made when it is first asked for: it stays open while somebody looks at something else. */
export function keptPortal(make: () => PortalWork): PortalWork {
  kept ??= make()
  return kept
}

/** Ends the portal of this page, if one is open, and with it all that it held. */
export const closePortal = (): void => kept?.portal.close()

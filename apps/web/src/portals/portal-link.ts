import type { Invitation } from '@sallyport/client/portal/meeting/meet'
import { toBase64url } from '@sallyport/crypto'

/** The address that leads into a portal. The secret behind `#` never reaches a server. */
export const portalLinkOf = ({ pin, secret }: Invitation): string =>
  `${location.origin}/?join=${pin}#k=${toBase64url(secret)}`

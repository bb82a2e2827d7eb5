import type { Invitation } from '@sallyport/client/portal/meeting/room-code'
import { toBase64url } from '@sallyport/crypto'

/**
 * The address that leads into a portal. What proves it stands behind `#`, which never reaches a server; the digits before
 * it are the prefix, which the server knows, and random ones. `p` says where a prefix of four digits ends.
 */
export const portalLinkOf = ({ linkDigits, prefix, secret }: Invitation): string =>
  `${location.origin}/?join=${linkDigits}#k=${toBase64url(secret)}${prefix.length === 4 ? '&p=4' : ''}`

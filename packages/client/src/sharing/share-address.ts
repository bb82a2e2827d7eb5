import { encodeShareFragment } from '@sallyport/crypto'
import { ClientError } from '../errors.ts'

const sharePath = /^\/s\/([A-Za-z0-9_-]{22})$/

/** Returns the token of a share, the only part of the server's response that a link uses. */
export function parseShareToken(shareUrl: string): string {
  const token = sharePath.exec(shareUrl)?.[1]
  if (token === undefined) throw new ClientError('SHARE_ADDRESS_INVALID')
  return token
}

interface BuildShareLinkInput {
  /** Origin under which this client reaches the server. */
  readonly origin: string
  readonly shareUrl: string
  readonly shareKey: Uint8Array
}

/**
 * Builds the complete link, key included. Origin and path are the client's own: the server must not choose where the
 * key goes.
 */
export async function buildShareLink({ origin, shareUrl, shareKey }: BuildShareLinkInput): Promise<string> {
  const link = new URL(`/s/${parseShareToken(shareUrl)}`, origin)
  link.hash = await encodeShareFragment(shareKey)
  return link.href
}

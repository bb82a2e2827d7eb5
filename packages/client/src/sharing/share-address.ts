import { encodeShareFragment } from '@sallyport/crypto'

export type ShareAddressErrorCode = 'SHARE_ADDRESS_INVALID'

/** The server answered something else than the path of a share on this origin. No link is made of it. */
export class ShareAddressError extends Error {
  override readonly name = 'ShareAddressError'
  readonly code: ShareAddressErrorCode = 'SHARE_ADDRESS_INVALID'

  constructor() {
    super('SHARE_ADDRESS_INVALID')
  }
}

const sharePath = /^\/s\/([A-Za-z0-9_-]{22})$/

/** The token of a share, the only part of the server's answer that a link takes over. */
export function shareTokenOf(shareUrl: string): string {
  const token = sharePath.exec(shareUrl)?.[1]
  if (token === undefined) throw new ShareAddressError()
  return token
}

interface ShareAddress {
  /** Where this client itself reaches the server. */
  readonly origin: string
  readonly shareUrl: string
  readonly shareKey: Uint8Array
}

/** A whole link, key included. Its origin and path are this client's own: the key goes with no address that was answered. */
export async function writeShareLink({ origin, shareUrl, shareKey }: ShareAddress): Promise<string> {
  const link = new URL(`/s/${shareTokenOf(shareUrl)}`, origin)
  link.hash = await encodeShareFragment(shareKey)
  return link.href
}

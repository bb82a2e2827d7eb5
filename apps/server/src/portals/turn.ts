import { createHmac } from 'node:crypto'
import { portalRoomLimits } from '@sallyport/contract/limits'
import type { IceServer } from '@sallyport/contract/portals'

interface Turn {
  readonly urls: readonly string[]
  readonly secret: string
  readonly now: () => number
}

/** Credentials as TURN servers with a shared secret take them: the name says until when, the password proves it. */
export function turnCredentials({ urls, secret, now }: Turn, peerId: string): IceServer {
  const username = `${Math.floor((now() + portalRoomLimits.turnCredentialMs) / 1000)}:${peerId}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  return { urls: [...urls], username, credential }
}

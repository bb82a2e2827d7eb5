import { ApiError, NetworkError } from '../errors.ts'
import { PortalError } from './channel.ts'
import type { PortalRole } from './meeting/proof.ts'
import { portalTexts } from './texts.ts'

/** Says why a portal could not be opened or joined, in a sentence for people. */
export function troubleOf(error: unknown, role: PortalRole, hasMet: boolean): string {
  if (error instanceof PortalError || error instanceof ApiError) return error.message
  if (error instanceof NetworkError) return role === 'creator' ? portalTexts.cannotCreate : portalTexts.cannotReach
  if (hasMet) return portalTexts.unknown
  return role === 'creator' ? portalTexts.roomCreationFailed : portalTexts.roomJoinFailed
}

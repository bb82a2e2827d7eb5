import { portalLimits } from '@sallyport/contract/limits'
import { CodePrefix } from '@sallyport/contract/portals'
import { type Bytes, randomBytes } from '@sallyport/crypto/portal'
import * as z from 'zod/mini'
import { PortalError } from '../channel.ts'
import { portalTexts } from '../texts.ts'

/** What the creator shows: the code, and for a link or a QR code the bytes behind `#`. */
export interface Invitation {
  /** Six or eight digits: the prefix, and four that only the two devices know. */
  readonly pin: string
  /** The digits of the code that the server knows. */
  readonly prefix: string
  /** Six digits for the address of a link: the prefix, and random ones that open nothing. */
  readonly linkDigits: string
  readonly secret: Bytes
  /** Whether the digits alone open nothing. */
  readonly isLinkOnly: boolean
}

interface CodeInput {
  readonly pin: string
  /** The code was in an address that was opened, so the server may know all of it. */
  readonly isFromAddress?: boolean
}

/** What a device joins by: a code, or a link with a secret. Only one of the two is ever proved. */
export type JoinInput = CodeInput | { readonly prefix: string; readonly secret: Bytes }

const secretBytes = 16

/** True for the two lengths of a prefix that a client takes from the server. */
export const isCodePrefix = (prefix: string): boolean => z.safeParse(CodePrefix, prefix).success

/** Draws digits that each are as likely as any other. */
export function drawDigits(count: number): string {
  let digits = ''
  while (digits.length < count) {
    for (const byte of randomBytes(count * 2)) if (byte < 250 && digits.length < count) digits += String(byte % 10)
  }
  return digits
}

/**
 * Draws the secret parts of an invitation. How many digits are secret never depends on the server: a prefix of another
 * length is refused with a `PortalError`.
 */
export function createInvitation(prefix: string, isLinkOnly: boolean): Invitation {
  if (!isCodePrefix(prefix)) throw new PortalError(portalTexts.codeNotAccepted)
  return {
    prefix,
    pin: prefix + drawDigits(portalLimits.secretDigits),
    // A separate draw: what stands in an address is logged by servers and proxies.
    linkDigits: prefix + drawDigits(portalLimits.codeDigits - prefix.length),
    secret: randomBytes(secretBytes),
    isLinkOnly,
  }
}

/** The part that is sent to the server to find the room; null for what is no code. */
export function prefixOf(input: JoinInput): string | null {
  const prefix = 'pin' in input ? input.pin.slice(0, -portalLimits.secretDigits) : input.prefix
  const isCode = !('pin' in input) || /^\d+$/.test(input.pin)
  return isCode && isCodePrefix(prefix) ? prefix : null
}

import { portalLimits } from '@sallyport/contract/limits'
import { CodePrefix } from '@sallyport/contract/portals'
import { type Bytes, randomBytes } from '@sallyport/crypto/portal'
import * as z from 'zod/mini'
import { PortalError } from '../errors.ts'

/** Options of the device that opens a portal. */
export interface PortalOptions {
  /** Rejects legacy peers, which cannot prove the code. */
  readonly verifiedOnly: boolean
  /** Requires the link or the QR code; the digits alone do not open the portal. */
  readonly linkOnly: boolean
  /** Sends everything through the relay, so that the other device does not learn this device's IP address. */
  readonly relayOnly: boolean
}

export const defaultPortalOptions: PortalOptions = { verifiedOnly: false, linkOnly: false, relayOnly: false }

/** What the creator shows: the code and, for the link and the QR code, the secret after `#`. */
export interface Invitation {
  /** Six or eight digits: the prefix and four digits that only the two devices know. */
  readonly pin: string
  /** The leading digits of the code, which the server knows. */
  readonly prefix: string
  /** Six digits for the URL of a link: the prefix and random digits that open nothing. */
  readonly linkDigits: string
  readonly secret: Bytes
  /** Whether the digits alone open nothing. */
  readonly isLinkOnly: boolean
}

interface CodeInput {
  readonly pin: string
  /** Whether the code was part of a URL, so that the server may know all of it. */
  readonly isFromAddress?: boolean
}

/** What a device joins with: a code or a link with a secret. */
export type JoinInput = CodeInput | { readonly prefix: string; readonly secret: Bytes }

const secretBytes = 16

/** Whether a prefix has one of the two lengths that a client accepts from the server. */
export const isCodePrefix = (prefix: string): boolean => z.safeParse(CodePrefix, prefix).success

/** Draws uniformly distributed random digits. */
export function drawDigits(count: number): string {
  let digits = ''
  while (digits.length < count) {
    for (const byte of randomBytes(count * 2)) if (byte < 250 && digits.length < count) digits += String(byte % 10)
  }
  return digits
}

/**
 * Draws the secret parts of an invitation. The number of secret digits never depends on the server: a prefix of another
 * length throws a `PortalError`.
 */
export function createInvitation(prefix: string, isLinkOnly: boolean): Invitation {
  if (!isCodePrefix(prefix)) throw new PortalError('CODE_NOT_ACCEPTED')
  return {
    prefix,
    pin: prefix + drawDigits(portalLimits.secretDigits),
    // Drawn separately from the code, because servers and proxies log URLs.
    linkDigits: prefix + drawDigits(portalLimits.codeDigits - prefix.length),
    secret: randomBytes(secretBytes),
    isLinkOnly,
  }
}

/** The prefix that is sent to the server to find the room; null if the input is not a code. */
export function prefixOf(input: JoinInput): string | null {
  const prefix = 'pin' in input ? input.pin.slice(0, -portalLimits.secretDigits) : input.prefix
  const isCode = !('pin' in input) || /^\d+$/.test(input.pin)
  return isCode && isCodePrefix(prefix) ? prefix : null
}

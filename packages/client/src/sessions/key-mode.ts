import type { KeyMode } from '@sallyport/contract/session-shapes'
import { ClientError } from '../errors.ts'

interface KeyModeCheck {
  /** The mode of the server's response. */
  readonly received: KeyMode
  /** The mode that this client requested or has stored of the session; null on joining by a PIN. */
  readonly expected: KeyMode | null
  readonly linkSecret: Uint8Array | null
}

/**
 * Returns the key mode that this client uses. A link secret requires `secret`, and an expected mode requires itself.
 * The server's mode only counts on joining by a PIN, where each mode is either one that the server can read anyway or
 * one that stays closed without a link. Throws `KEY_MODE_MISMATCH` for any other response.
 */
export function requireKeyMode({ received, expected, linkSecret }: KeyModeCheck): KeyMode {
  const required = linkSecret === null ? (expected ?? received) : 'secret'
  if (received !== required || (expected !== null && expected !== required)) throw new ClientError('KEY_MODE_MISMATCH')
  return required
}

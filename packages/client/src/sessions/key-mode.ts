import type { KeyMode } from '@sallyport/contract/session-shapes'
import { SessionError } from './session-error.ts'

interface KeyModeCheck {
  /** What the server says. */
  readonly answered: KeyMode
  /** What this client asked for, or what it has stored of the session; null on joining by a PIN. */
  readonly expected: KeyMode | null
  readonly linkSecret: Uint8Array | null
}

/**
 * The key mode that holds for this client. A link secret stands for `secret` and an expected mode for itself; the
 * server's answer only counts on joining by a PIN, where every mode it can name is one that it can read or one that
 * stays closed without a link. Throws `KEY_MODE_MISMATCH` for any other answer.
 */
export function requireKeyMode({ answered, expected, linkSecret }: KeyModeCheck): KeyMode {
  const required = linkSecret === null ? (expected ?? answered) : 'secret'
  if (answered !== required || (expected !== null && expected !== required)) throw new SessionError('KEY_MODE_MISMATCH')
  return required
}

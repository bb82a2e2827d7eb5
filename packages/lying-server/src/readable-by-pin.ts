import { type Bytes, deriveSessionKey, fromBase64url } from '@sallyport/crypto'
import { orNull } from './attempt.ts'
import type { Transcript } from './transcript.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

/** The use bytes of envelopes and wrapped message keys: file types and message kinds. */
const uses = [1, 2, 3, 4, ...Array.from({ length: 16 }, (_, index) => 0x10 + index)]

/**
 * The wrapped keys that a server can open with the data it received and sent: those whose root is derived only from a
 * PIN, a key share and a session id.
 */
export async function readableByPin(
  transcript: Transcript,
  wrappedKeys: readonly string[],
): Promise<readonly string[]> {
  const text = transcript.text()
  const pins = valuesOf(text, /"session_pin":"(\d{6})"/g)
  const shares = valuesOf(text, /"key_share":"([\w-]{43})"/g)
  const ids = valuesOf(text, /"id":"([0-9a-f-]{36})","is_creator"/g)
  const roots = (await Promise.all(pins.map((pin) => rootsOf(pin, shares, ids)))).flat()
  const keyIds = (await Promise.all(roots.map(keyIdsOf))).flat()
  return wrappedKeys.filter((wrapped) => keyIds.some((keyId) => includes(fromBase64url(wrapped), keyId)))
}

const valuesOf = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, value = '']) => value)),
]

async function rootsOf(pin: string, shares: readonly string[], ids: readonly string[]): Promise<readonly Bytes[]> {
  const derived = shares.flatMap((share) =>
    ids.map((sessionId) =>
      orNull(() => deriveSessionKey({ mode: 'pin2', pin, sessionId, share: fromBase64url(share) })),
    ),
  )
  const roots = await Promise.all([deriveSessionKey({ mode: 'pin', pin }), ...derived])
  return roots.filter((root) => root !== null)
}

/** The key ids by which wrapped keys identify their root. */
async function keyIdsOf(root: Bytes): Promise<readonly Uint8Array[]> {
  const from = await crypto.subtle.importKey('raw', root, 'HKDF', false, ['deriveBits'])
  const derive = async (useByte: number) => {
    const info = Uint8Array.from([...utf8('ef1/key-id\0'), useByte])
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, from, 128))
  }
  return Promise.all(uses.map(derive))
}

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  const text = (source: Uint8Array) => String.fromCharCode(...source)
  return text(bytes).includes(text(part))
}

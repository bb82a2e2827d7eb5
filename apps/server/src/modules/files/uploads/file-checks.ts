import { strictSealedName } from '@sallyport/contract/fields'
import { files } from '@sallyport/contract/files'
import { expirationLimits, sessionLimits } from '@sallyport/contract/limits'
import { type Envelope, type FileKind, keyIdText, parseEnvelope, type WrapType } from '@sallyport/crypto/envelope'
import { apiError } from '../../../errors.ts'

/** Printable ASCII that is safe inside the quotes of a Content-Disposition header. */
const plainName = /^[ !#-[\]-~]{1,1024}$/
const workerOnlyParameters = files.download.query.shape
const keyIdPattern = /^kid\.[A-Za-z0-9_-]{22}$/
const minuteMs = 60_000
const fileLifetimes: readonly number[] = expirationLimits.offeredMinutes
const sessionFileLifetimes: readonly number[] = sessionLimits.offeredMinutes

/** Throws if the name is not encrypted. A server that is not strict accepts any name that a header can carry. */
export function requireSealedName(name: string, strict: boolean): void {
  if (strict ? strictSealedName.test(name) : plainName.test(name)) return
  throw strict ? apiError('SEALED_NAME_REQUIRED') : apiError('BAD_REQUEST', { details: { fields: ['x-file-name'] } })
}

/** Parses a wrapped key and throws unless it has this wrap type and kind. */
export function requireEnvelope(text: string | undefined, wrapType: WrapType, kind: FileKind = 'personal'): Envelope {
  const envelope = readEnvelope(text)
  if (!envelope) throw apiError('ENVELOPE_INVALID')
  if (envelope.wrapType !== wrapType || envelope.header.kind !== kind) throw apiError('ENVELOPE_KIND')
  return envelope
}

/** Parses a wrapped key; null if it is not an envelope. */
export function readEnvelope(text: string | undefined): Envelope | null {
  if (text === undefined) return null
  try {
    return parseEnvelope(text)
  } catch {
    return null
  }
}

/** Throws if the query has parameters that only the browser's service worker may see. */
export function rejectKeysInQuery(query: Readonly<Record<string, unknown>>): void {
  if (Object.keys(query).some((name) => name in workerOnlyParameters)) throw apiError('KEY_IN_REQUEST')
}

/** Throws unless the value is the id of the key that wraps the file key. */
export function requireKeyId(keyId: string | undefined, wrappedKey: string): void {
  if (keyId === undefined) return
  if (!keyIdPattern.test(keyId)) throw apiError('KEY_IN_REQUEST')
  const envelope = readEnvelope(wrappedKey)
  if (!envelope || keyId !== keyIdText(envelope.keyId)) throw apiError('KEY_REPLACED')
}

/** Throws if this lifetime is not offered for files of an account or of a session. */
export function requireOfferedLifetime(minutes: number, scope: 'own' | 'session' = 'own'): void {
  const offered = scope === 'session' ? sessionFileLifetimes : fileLifetimes
  if (!offered.includes(minutes)) throw apiError('EXPIRATION_NOT_OFFERED')
}

/** The time, in epoch milliseconds, at which a file expires. */
export const computeExpiry = (from: number, minutes: number): number => from + minutes * minuteMs

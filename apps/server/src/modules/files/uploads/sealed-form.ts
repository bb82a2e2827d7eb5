import { strictSealedName } from '@sallyport/contract/fields'
import { type Envelope, type FileKind, parseEnvelope, type WrapType } from '@sallyport/crypto/envelope'
import { apiError } from '../../../errors.ts'

/** Printable ASCII that is safe inside the quotes of a Content-Disposition header. */
const plainName = /^[ !#-[\]-~]{1,1024}$/

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

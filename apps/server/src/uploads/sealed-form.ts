import { strictSealedName } from '@sallyport/contract/fields'
import { type Envelope, type FileKind, parseEnvelope, type WrapType } from '@sallyport/crypto/envelope'
import { refuse } from '../errors.ts'

/** Printable, and harmless inside the quotes of a Content-Disposition. */
const plainName = /^[ !#-[\]-~]{1,1024}$/

/** Refuses names that are not sealed; a server that is not strict takes any that a header can carry back. */
export function requireSealedName(name: string, strict: boolean): void {
  if (strict ? strictSealedName.test(name) : plainName.test(name)) return
  throw strict ? refuse('SEALED_NAME_REQUIRED') : refuse('BAD_REQUEST', { details: { fields: ['x-file-name'] } })
}

/** The public part of a wrapped key that must be made for this use. */
export function requireEnvelope(text: string | undefined, wrapType: WrapType, kind: FileKind = 'personal'): Envelope {
  const envelope = readEnvelope(text)
  if (!envelope) throw refuse('ENVELOPE_INVALID')
  if (envelope.wrapType !== wrapType || envelope.header.kind !== kind) throw refuse('ENVELOPE_KIND')
  return envelope
}

/** The public part of a wrapped key, or null when it is not an envelope. */
export function readEnvelope(text: string | undefined): Envelope | null {
  if (text === undefined) return null
  try {
    return parseEnvelope(text)
  } catch {
    return null
  }
}

import { files } from '@sallyport/contract/files'
import { keyIdText } from '@sallyport/crypto/envelope'
import { refuse } from '../errors.ts'
import { readEnvelope } from './sealed-form.ts'

const workersOwn = files.download.query.shape
const keyIdPattern = /^kid\.[A-Za-z0-9_-]{22}$/

/** Refuses an address that carries what only the browser's own worker may see. */
export function refuseKeysInQuery(query: Readonly<Record<string, unknown>>): void {
  if (Object.keys(query).some((name) => name in workersOwn)) throw refuse('KEY_IN_REQUEST')
}

/** Refuses anything but the id of the key that the file's key is wrapped with. */
export function requireKeyId(keyId: string | undefined, wrappedKey: string): void {
  if (keyId === undefined) return
  if (!keyIdPattern.test(keyId)) throw refuse('KEY_IN_REQUEST')
  const envelope = readEnvelope(wrappedKey)
  if (!envelope || keyId !== keyIdText(envelope.keyId)) throw refuse('KEY_REPLACED')
}

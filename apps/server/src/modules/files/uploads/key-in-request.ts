import { files } from '@sallyport/contract/files'
import { keyIdText } from '@sallyport/crypto/envelope'
import { apiError } from '../../../errors.ts'
import { readEnvelope } from './sealed-form.ts'

const workerOnlyParameters = files.download.query.shape
const keyIdPattern = /^kid\.[A-Za-z0-9_-]{22}$/

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

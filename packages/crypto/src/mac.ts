import { type Bytes, unshared } from './bytes.ts'

/** HMAC-SHA-256 (RFC 2104) of a message. */
export async function mac(key: Bytes, message: Uint8Array): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, unshared(message)))
}

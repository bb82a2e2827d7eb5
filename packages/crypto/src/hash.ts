import { type Bytes, unshared } from './bytes.ts'

export const sha256 = async (bytes: Uint8Array): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', unshared(bytes)))

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateSecretFile } from '../../secrets.ts'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** Keys outside the database, so that a copy of the database alone neither decrypts nor helps to guess anything. */
export interface ProviderSecret {
  /** Returns the keyed hash under which a short code is stored; `scope` makes equal codes hash differently. */
  hashCode(scope: string, code: string): string
  /** Seals a factor's secret and binds it to its owner. */
  seal(secret: Buffer, owner: string): string
  /** Opens a sealed secret; throws when it belongs to another owner or was sealed with another key. */
  open(sealed: string, owner: string): Buffer
}

/** Reads the provider's secret from `provider.key` in this folder; the first start creates it. */
export function openProviderSecret(folder: string): ProviderSecret {
  const root = readOrCreateSecretFile(join(folder, 'provider.key'), () => randomBytes(keyBytes))
  if (root.length !== keyBytes) throw new Error(`provider.key is damaged: ${keyBytes} bytes are expected`)
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', root, '', label, keyBytes))
  const codeKey = derive('sallyport.codes')
  const factorKey = derive('sallyport.factors')

  return {
    hashCode: (scope, code) => createHmac('sha256', codeKey).update(`${scope}|${code}`).digest('base64url'),
    seal(secret, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', factorKey, iv).setAAD(Buffer.from(owner))
      return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', factorKey, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
    },
  }
}

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keepSecretFile } from '../secrets.ts'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** What the provider keeps outside the database, so that a copy of the database alone opens and guesses nothing. */
export interface ProviderSecret {
  /** What is kept of a short code that is sent to somebody; `scope` keeps equal codes apart. */
  hashCode(scope: string, code: string): string
  /** Seals a factor's secret for this owner only. */
  seal(secret: Buffer, owner: string): string
  /** The secret again; throws when it was sealed for somebody else or with another key. */
  open(sealed: string, owner: string): Buffer
}

/** Reads the provider's secret (`provider.key` in this folder); the first start makes one. */
export function openProviderSecret(folder: string): ProviderSecret {
  const root = keepSecretFile(join(folder, 'provider.key'), () => randomBytes(keyBytes))
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

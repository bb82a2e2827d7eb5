import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const shareBytes = 32
const ivBytes = 12
const tagBytes = 16

/**
 * The part of a session key that the server gives to participants. It is stored sealed under a key outside the
 * database, so that a copy of the database opens no session, and is deleted when the session ends.
 */
export function createKeyShares(secret: Buffer) {
  return {
    /** Creates a share in its stored form. */
    create(sessionId: string): string {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(sessionId))
      return Buffer.concat([iv, cipher.update(randomBytes(shareBytes)), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },

    /** Opens a share, in base64url. Throws when it was not sealed for this session with this key. */
    open(sessionId: string, sealed: string): string {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(sessionId)).setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString(
        'base64url',
      )
    },
  }
}

export type KeyShares = ReturnType<typeof createKeyShares>

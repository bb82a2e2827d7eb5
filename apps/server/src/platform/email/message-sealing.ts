import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateSecretFile } from '../../secrets.ts'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** Encrypts queued messages, so that a copy of the database reveals no links and no addresses. */
export function createMessageSealing(secretsFolder: string) {
  const path = join(secretsFolder, 'post.key')
  const key = readOrCreateSecretFile(path, () => randomBytes(keyBytes))
  if (key.length !== keyBytes) throw new Error(`${path} is damaged: ${keyBytes} bytes are expected`)

  return {
    seal(id: string, content: object): string {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id))
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    /** Throws if the message was not sealed with this id and this key. */
    open(id: string, text: string): object {
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-tagBytes))
      const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
      return JSON.parse(opened.toString('utf8'))
    },
  }
}

export type MessageSealing = ReturnType<typeof createMessageSealing>

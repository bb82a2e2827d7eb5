import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP's second setting for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const
const hashBytes = 32
const saltBytes = 16

/** Hashes under way at once; more would keep the thread pool from reading and writing files. */
const atOnce = 2

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/

/** Stands for the hash of somebody who does not exist, so that looking them up takes as long as a wrong secret. */
const nobody = printed(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes))

/** Whether a text has the form in which hashes are kept. */
export const isStoredHash = (text: string): boolean => phc.test(text)

export function createCredentialHashes() {
  const waiting: (() => void)[] = []
  let running = 0

  async function hash(parameters: Argon2Parameters): Promise<Buffer> {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await derive('argon2id', parameters)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    /** The text to keep for a credential, in PHC form. */
    async make(credential: string): Promise<string> {
      const salt = randomBytes(saltBytes)
      return printed(salt, await hash({ message: credential, nonce: salt, tagLength: hashBytes, ...cost }))
    },
    /** The same slow hash with a salt of one's own, where one hash is held against several. */
    async digest(secret: string, salt: Buffer): Promise<string> {
      return (await hash({ message: secret, nonce: salt, tagLength: hashBytes, ...cost })).toString('base64url')
    },
    /** True when the text was made of this credential. Without a text the answer is false and takes as long. */
    async matches(text: string | null, credential: string): Promise<boolean> {
      const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(text ?? nobody) ?? []
      const wanted = Buffer.from(expected, 'base64')
      if (wanted.length === 0) throw new Error('A stored credential hash cannot be read')
      const made = await hash({
        message: credential,
        nonce: Buffer.from(salt, 'base64'),
        tagLength: wanted.length,
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
      })
      return timingSafeEqual(made, wanted) && text !== null
    },
  }
}

export type CredentialHashes = ReturnType<typeof createCredentialHashes>

function printed(salt: Buffer, hash: Buffer): string {
  const unpadded = (part: Buffer): string => part.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

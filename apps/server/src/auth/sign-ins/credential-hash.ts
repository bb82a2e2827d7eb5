import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { HashingCaller, PasswordHashing } from '../../resources/password-hashing.ts'

const derive = promisify(argon2)

/** OWASP's second setting for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const
const hashBytes = 32
const saltBytes = 16

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/

/** Stands for the hash of somebody who does not exist, so that looking them up takes as long as a wrong secret. */
const nobody = printed(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes))

/** Whether a text has the form in which hashes are kept. */
export const isStoredHash = (text: string): boolean => phc.test(text)

export function createCredentialHashes(hashing: PasswordHashing) {
  const hash = (parameters: Argon2Parameters, caller: HashingCaller): Promise<Buffer> =>
    hashing.run(caller, () => derive('argon2id', parameters))

  return {
    /** The text to keep for a credential, in PHC form. */
    async make(credential: string, caller: HashingCaller): Promise<string> {
      const salt = randomBytes(saltBytes)
      return printed(salt, await hash({ message: credential, nonce: salt, tagLength: hashBytes, ...cost }, caller))
    },
    /** The same slow hash with a salt of one's own, where one hash is held against several. */
    async digest(secret: string, salt: Buffer, caller: HashingCaller): Promise<string> {
      const parameters = { message: secret, nonce: salt, tagLength: hashBytes, ...cost }
      return (await hash(parameters, caller)).toString('base64url')
    },
    /** True when the text was made of this credential. Without a text the answer is false and takes as long. */
    async matches(text: string | null, credential: string, caller: HashingCaller): Promise<boolean> {
      const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(text ?? nobody) ?? []
      const wanted = Buffer.from(expected, 'base64')
      if (wanted.length === 0) throw new Error('A stored credential hash cannot be read')
      const parameters = {
        message: credential,
        nonce: Buffer.from(salt, 'base64'),
        tagLength: wanted.length,
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
      }
      const made = await hash(parameters, caller)
      return timingSafeEqual(made, wanted) && text !== null
    },
  }
}

export type CredentialHashes = ReturnType<typeof createCredentialHashes>

function printed(salt: Buffer, hash: Buffer): string {
  const unpadded = (part: Buffer): string => part.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { HashingCaller, PasswordHashing } from '../../../platform/rate-limit/password-hashing.ts'

const derive = promisify(argon2)

/** OWASP's second setting for Argon2id: 19 MiB, 2 passes, parallelism 1. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const
const hashBytes = 32
const saltBytes = 16

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/

/** A hash that is compared for an unknown user, so that it takes as long as a wrong secret. */
const dummyHash = formatPhc(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes))

/** True for a string in the PHC format in which hashes are stored. */
export const isPhcHash = (stored: string): boolean => phcPattern.test(stored)

export function createCredentialHashes(hashing: PasswordHashing) {
  const hash = (parameters: Argon2Parameters, caller: HashingCaller): Promise<Buffer> =>
    hashing.run(caller, () => derive('argon2id', parameters))

  return {
    /** Returns the PHC string to store for a credential. */
    async create(credential: string, caller: HashingCaller): Promise<string> {
      const salt = randomBytes(saltBytes)
      return formatPhc(salt, await hash({ message: credential, nonce: salt, tagLength: hashBytes, ...cost }, caller))
    },
    /** Returns the same slow hash with a given salt, where one hash is compared with several stored ones. */
    async hashWithSalt(secret: string, salt: Buffer, caller: HashingCaller): Promise<string> {
      const parameters = { message: secret, nonce: salt, tagLength: hashBytes, ...cost }
      return (await hash(parameters, caller)).toString('base64url')
    },
    /** True when the stored hash is of this credential. A missing hash returns false after the same time. */
    async matches(stored: string | null, credential: string, caller: HashingCaller): Promise<boolean> {
      const [, memory, passes, parallelism, salt = '', expected = ''] = phcPattern.exec(stored ?? dummyHash) ?? []
      const expectedHash = Buffer.from(expected, 'base64')
      if (expectedHash.length === 0) throw new Error('Stored credential hash is malformed')
      const parameters = {
        message: credential,
        nonce: Buffer.from(salt, 'base64'),
        tagLength: expectedHash.length,
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
      }
      const actualHash = await hash(parameters, caller)
      return timingSafeEqual(actualHash, expectedHash) && stored !== null
    },
  }
}

export type CredentialHashes = ReturnType<typeof createCredentialHashes>

function formatPhc(salt: Buffer, hash: Buffer): string {
  const unpadded = (part: Buffer): string => part.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

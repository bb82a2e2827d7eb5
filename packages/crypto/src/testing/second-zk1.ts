import { argon2id } from '@noble/hashes/argon2.js'
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { b64u, derive, lock, type Octets, unlock } from './second-ef1.ts'

// The same for zk1 and the session keys.

const none = new Uint8Array(0)
const octets = (password: string): Octets => utf8ToBytes(password.normalize('NFKC'))

export const masterKey = (password: string, userId: string): Octets =>
  pbkdf2(sha256, octets(password), utf8ToBytes(password.normalize('NFKC') + userId), { c: 100_000, dkLen: 32 })

export function stretched(password: string, salt: Octets, profile: number): Octets {
  const saltHash = sha256(concatBytes(utf8ToBytes('zk1.salt'), salt))
  return profile === 1
    ? pbkdf2(sha256, octets(password), saltHash, { c: 600_000, dkLen: 32 })
    : argon2id(octets(password), saltHash, { m: 64 * 1024, t: 3, p: 1, version: 0x13, dkLen: 32 })
}

export const credential = (r: Octets, profile: number): string => `Zk${profile}.${b64u(derive(r, none, 'zk1.auth'))}`

export const wrapSecret = (r: Octets): Octets => derive(r, none, 'zk1.wrap')

export const keyEncryptionKey = (mk: Octets, h: Octets, userId: string): Octets =>
  derive(concatBytes(mk, h), utf8ToBytes(userId), 'zk1.kek')

interface AccountKeyContext {
  kek: Octets
  userId: string
  version: number
}

const accountAad = ({ userId, version }: AccountKeyContext): Octets =>
  utf8ToBytes(['zk1.uk', userId, version].join('|'))

export const lockAccountKey = (context: AccountKeyContext, iv: Octets, accountKey: Octets): Octets =>
  lock(context.kek, iv, accountKey, accountAad(context))

export const unlockAccountKey = (context: AccountKeyContext, box: Octets): Octets =>
  unlock(context.kek, box, accountAad(context))

/** Uses one big integer, where the first implementation shifts bits through a window. */
export function recoveryText(recoveryKey: Octets): string {
  const check = sha256(concatBytes(utf8ToBytes('zk1.recovery-check'), recoveryKey)).slice(0, 3)
  const digits = BigInt(`0x${concatBytes(recoveryKey, check).toHex()}`)
    .toString(32)
    .padStart(56, '0')
  const letters = [...digits].map((digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[Number.parseInt(digit, 32)]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? ''
}

interface RecoveryContext {
  recoveryKey: Octets
  userId: string
  /** Omitted for a wrapping of version 1. */
  keyVersion?: number
}

const recoveryKeyAndAad = ({ recoveryKey, userId, keyVersion }: RecoveryContext): [Octets, Octets] =>
  keyVersion === undefined
    ? [derive(recoveryKey, utf8ToBytes(userId), 'zk1.recovery'), none]
    : [
        derive(recoveryKey, utf8ToBytes(userId), 'zk1.recovery2'),
        utf8ToBytes(['zk1.recovery2', userId, keyVersion].join('|')),
      ]

export function lockForRecovery(context: RecoveryContext, iv: Octets, accountKey: Octets): Octets {
  const [key, aad] = recoveryKeyAndAad(context)
  return lock(key, iv, accountKey, aad)
}

export function unlockFromRecovery(context: RecoveryContext, box: Octets): Octets {
  const [key, aad] = recoveryKeyAndAad(context)
  return unlock(key, box, aad)
}

export const unlockInner = (share: Octets, deviceId: string, box: Octets): Octets =>
  unlock(derive(share, utf8ToBytes(deviceId), 'zk1.unlock'), box, none)

export const pinKey = (pin: string): Octets =>
  pbkdf2(sha256, utf8ToBytes(pin), utf8ToBytes(`ef1/session\0${pin}`), { c: 100_000, dkLen: 32 })

/** `label` is the shared one of version 1, or the label of the mode. */
export const sessionKey = (pin: string, sessionId: string, secrets: Octets[], label: string): Octets =>
  derive(concatBytes(pinKey(pin), ...secrets), utf8ToBytes(sessionId), label)

import type { CryptoErrorCode } from '../../errors.ts'
import { b64u, type Octets } from '../second-ef1.ts'
import {
  credential,
  keyEncryptionKey,
  lockAccountKey,
  lockForRecovery,
  masterKey,
  recoveryText,
  stretched,
  wrapSecret,
} from '../second-zk1.ts'
import type { VectorCase } from '../vector-case.ts'
import { accountKey, countingBytes, iv, join, withByteChanged } from './inputs.ts'

const userId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'
const otherUserId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5e'
const salt = countingBytes(0, 16)
const mk = countingBytes(0x21, 32)
const h = countingBytes(0x61, 32)
const recoveryKey = countingBytes(0x91, 32)

/** Passwords that look alike; those with the same NFKC form derive the same keys. */
export function validPasswords(): VectorCase[] {
  const passwords = [
    ['a password', 'correct horse battery staple'],
    ['a composed password', 'Pässwörd-ﬁ-１２３'],
    ['the same password, decomposed and plain', 'Pa\u0308sswo\u0308rd-fi-123'],
    ['a password with blanks around it', '  open sesame  '],
    ['a password of emoji', '🔑👩‍💻🇪🇺'],
    ['a password of one letter', 'x'],
    ['a password of 1,000 letters', 'long '.repeat(200)],
  ] as const
  const masterKeys = passwords.map(
    ([what, password]): VectorCase => ({
      name: `derive the master key of ${what}`,
      operation: 'master-key',
      input: { password, userId },
      expect: 'ok',
      output: { masterKey: masterKey(password, userId).toHex() },
    }),
  )
  const logins = [
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 0],
    [2, 2],
  ].map(([profile = 0, which = 0]): VectorCase => {
    const [what, password] = passwords[which] ?? passwords[0]
    const r = stretched(password, salt, profile)
    return {
      name: `derive the login secrets of ${what}, profile ${profile}`,
      operation: 'login-secrets',
      input: { password, salt: salt.toHex(), profile },
      expect: 'ok',
      output: { credential: credential(r, profile), wrapSecret: wrapSecret(r).toHex() },
    }
  })
  return [...masterKeys, ...logins]
}

export function invalidPasswords(): VectorCase[] {
  const login = { password: 'x', salt: salt.toHex(), profile: 1 }
  return [
    { name: 'refuse an empty password', operation: 'master-key', input: { password: '', userId }, expect: 'malformed' },
    {
      name: 'refuse a user id that is no UUID',
      operation: 'master-key',
      input: { password: 'x', userId: 'me' },
      expect: 'malformed',
    },
    {
      name: 'refuse to sign in with an empty password',
      operation: 'login-secrets',
      input: { ...login, password: '' },
      expect: 'malformed',
    },
    {
      name: 'refuse a salt of 15 bytes',
      operation: 'login-secrets',
      input: { ...login, salt: countingBytes(0, 15).toHex() },
      expect: 'malformed',
    },
    {
      name: 'refuse a salt of zeros',
      operation: 'login-secrets',
      input: { ...login, salt: new Uint8Array(16).toHex() },
      expect: 'malformed',
    },
    {
      name: 'refuse profile 0',
      operation: 'login-secrets',
      input: { ...login, profile: 0 },
      expect: 'unsupported-version',
    },
    {
      name: 'refuse profile 3',
      operation: 'login-secrets',
      input: { ...login, profile: 3 },
      expect: 'unsupported-version',
    },
  ]
}

export function accountKeys(): VectorCase[] {
  const context = { masterKey: mk.toHex(), wrapSecret: h.toHex(), userId, keyVersion: 1 }
  const kek = keyEncryptionKey(mk, h, userId)
  const box = lockAccountKey({ kek, userId, version: 1 }, iv, accountKey)
  const wrappedKey = b64u(box)
  const sound: VectorCase[] = [
    {
      name: 'wrap an account key',
      operation: 'wrap-account-key',
      input: { ...context, accountKey: accountKey.toHex(), iv: iv.toHex() },
      expect: 'ok',
      output: { wrappedKey },
    },
    {
      name: 'unwrap an account key',
      operation: 'unwrap-account-key',
      input: { ...context, wrappedKey },
      expect: 'ok',
      output: { accountKey: accountKey.toHex() },
    },
    {
      name: 'unwrap an account key, the user id in capitals',
      operation: 'unwrap-account-key',
      input: { ...context, userId: userId.toUpperCase(), wrappedKey },
      expect: 'ok',
      output: { accountKey: accountKey.toHex() },
    },
  ]
  const errorCases: readonly (readonly [string, Partial<typeof context>, string, CryptoErrorCode])[] = [
    ['another password', { masterKey: countingBytes(0x22, 32).toHex() }, wrappedKey, 'wrong-key'],
    ['another wrap secret', { wrapSecret: countingBytes(0x62, 32).toHex() }, wrappedKey, 'wrong-key'],
    ['another user', { userId: otherUserId }, wrappedKey, 'wrong-key'],
    ['another key version', { keyVersion: 2 }, wrappedKey, 'wrong-key'],
    ['a changed IV', {}, b64u(withByteChanged(box, 0)), 'wrong-key'],
    ['a changed tag', {}, b64u(withByteChanged(box, 59)), 'wrong-key'],
    ['59 bytes', {}, b64u(box.slice(0, 59)), 'malformed'],
    ['61 bytes', {}, b64u(join(box, Uint8Array.of(0))), 'malformed'],
    ['padding', {}, `${wrappedKey}=`, 'malformed'],
    ['a negative key version', { keyVersion: -1 }, wrappedKey, 'malformed'],
    ['a master key of zeros', { masterKey: new Uint8Array(32).toHex() }, wrappedKey, 'malformed'],
    ['a short wrap secret', { wrapSecret: countingBytes(0x61, 31).toHex() }, wrappedKey, 'malformed'],
  ]
  return [
    ...sound,
    ...errorCases.map(
      ([what, changed, wrapped, expect]): VectorCase => ({
        name: `refuse an account key with ${what}`,
        operation: 'unwrap-account-key',
        input: { ...context, ...changed, wrappedKey: wrapped },
        expect,
      }),
    ),
  ]
}

export function recoveryKeys(): VectorCase[] {
  const text = recoveryText(recoveryKey)
  const groups = text.split('-')
  const keyVersion = 3
  const context = { recoveryKey: recoveryKey.toHex(), userId, keyVersion }
  const box = lockForRecovery({ recoveryKey, userId, keyVersion }, iv, accountKey)
  const version1Box = lockForRecovery({ recoveryKey, userId }, iv, accountKey)
  const decodeCase = (what: string, typedText: string): VectorCase => ({
    name: `read a recovery key ${what}`,
    operation: 'decode-recovery-key',
    input: { text: typedText },
    expect: 'ok',
    output: { recoveryKey: recoveryKey.toHex() },
  })
  const typingErrors: readonly (readonly [string, string, CryptoErrorCode])[] = [
    ['nothing', '', 'truncated'],
    ['its last letter missing', text.slice(0, -1), 'truncated'],
    ['a group missing', groups.slice(1).join('-'), 'truncated'],
    ['a letter too much', `${text}0`, 'malformed'],
    ['two groups swapped', [groups[1], groups[0], ...groups.slice(2)].join('-'), 'malformed'],
    ['a wrong letter', `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`, 'malformed'],
    ['a letter that is never used', `U${text.slice(1)}`, 'malformed'],
    ['its check changed', `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`, 'malformed'],
  ]
  const unwrapping = (
    what: string,
    changed: { recoveryKey?: string; userId?: string; keyVersion?: number },
    wrapped: Octets,
    expect: CryptoErrorCode,
  ): VectorCase => ({
    name: `refuse a recovery with ${what}`,
    operation: 'unwrap-from-recovery',
    input: { ...context, wrappedKey: b64u(wrapped), ...changed },
    expect,
  })
  return [
    {
      name: 'write a recovery key',
      operation: 'encode-recovery-key',
      input: { recoveryKey: recoveryKey.toHex() },
      expect: 'ok',
      output: { text },
    },
    decodeCase('as written', text),
    decodeCase('in small letters without hyphens', text.toLowerCase().replaceAll('-', '')),
    decodeCase(
      'with letters that look like digits, and blanks',
      ` ${text.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('-', ' ')} `,
    ),
    ...typingErrors.map(
      ([what, as, expect]): VectorCase => ({
        name: `refuse a recovery key with ${what}`,
        operation: 'decode-recovery-key',
        input: { text: as },
        expect,
      }),
    ),
    {
      name: 'recover an account key',
      operation: 'unwrap-from-recovery',
      input: { ...context, wrappedKey: b64u(box) },
      expect: 'ok',
      output: { accountKey: accountKey.toHex(), isBound: true },
    },
    {
      name: 'wrap an account key for recovery',
      operation: 'wrap-for-recovery',
      input: { ...context, accountKey: accountKey.toHex(), iv: iv.toHex() },
      expect: 'ok',
      output: { wrappedKey: b64u(box) },
    },
    {
      name: 'recover an account key from a wrapping of version 1',
      operation: 'unwrap-from-recovery',
      input: { ...context, wrappedKey: b64u(version1Box) },
      expect: 'ok',
      output: { accountKey: accountKey.toHex(), isBound: false },
    },
    unwrapping('a later key version', { keyVersion: 4 }, box, 'wrong-key'),
    unwrapping('an earlier key version', { keyVersion: 2 }, box, 'wrong-key'),
    unwrapping('a key version that is none', { keyVersion: -1 }, box, 'malformed'),
    unwrapping('version 1 for another user', { userId: otherUserId }, version1Box, 'wrong-key'),
    unwrapping('the recovery key of another account', { recoveryKey: countingBytes(1, 32).toHex() }, box, 'wrong-key'),
    unwrapping('the id of another user', { userId: otherUserId }, box, 'wrong-key'),
    unwrapping('a changed byte', {}, withByteChanged(box, 20), 'wrong-key'),
    unwrapping('a byte missing', {}, box.slice(1), 'malformed'),
  ]
}

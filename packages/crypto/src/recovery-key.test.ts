import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAccountKey } from './account-key.ts'
import {
  createRecoveryKey,
  decodeRecoveryKey,
  encodeRecoveryKey,
  unwrapFromRecovery,
  wrapForRecovery,
} from './recovery-key.ts'
import { expectCryptoError } from './testing/check.ts'

const userId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'

test('a recovery key is encoded as fourteen groups of four and decodes to the same key', async () => {
  const recoveryKey = createRecoveryKey()

  const text = await encodeRecoveryKey(recoveryKey)

  expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){13}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(await decodeRecoveryKey(text)).toEqual(recoveryKey)
})

test('lower case, spaces and look-alike characters are tolerated', async () => {
  const recoveryKey = createRecoveryKey()
  const text = await encodeRecoveryKey(recoveryKey)

  const typed = `  ${text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'i')}\n`

  expect(await decodeRecoveryKey(typed)).toEqual(recoveryKey)
})

test('one wrong character is detected at every position', async () => {
  const letters = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 55 }), fc.constantFrom(...letters), async (position, letter) => {
      const text = (await encodeRecoveryKey(createRecoveryKey())).replaceAll('-', '')
      fc.pre(text[position] !== letter)

      const typed = text.slice(0, position) + letter + text.slice(position + 1)

      await expectCryptoError(() => decodeRecoveryKey(typed), 'malformed')
    }),
    { numRuns: 200 },
  )
})

test('the recovery key opens the account key only of its user and key version', async () => {
  const [recoveryKey, accountKey] = [createRecoveryKey(), createAccountKey()]
  const context = { recoveryKey, userId, keyVersion: 3 }
  const wrappedKey = await wrapForRecovery({ ...context, accountKey })
  const otherUser = userId.replace('3f', '4f')

  expect(await unwrapFromRecovery({ ...context, wrappedKey })).toEqual({ accountKey, isBound: true })
  const others = [{ recoveryKey: createRecoveryKey() }, { userId: otherUser }, { keyVersion: 2 }, { keyVersion: 4 }]
  for (const other of others) {
    await expectCryptoError(() => unwrapFromRecovery({ ...context, ...other, wrappedKey }), 'wrong-key')
  }
})

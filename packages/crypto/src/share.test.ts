import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShareKey, deriveShareKey, encodeShareFragment } from './create-share.ts'
import { createKey } from './secret.ts'
import { decodeShareFragment, shareProof } from './share.ts'
import { expectCryptoError } from './testing/check.ts'

const fileUid = new Uint8Array(16).fill(3)

test('a fragment decodes to its share key', async () => {
  const shareKey = createShareKey()

  const fragment = await encodeShareFragment(shareKey)

  expect(fragment).toMatch(/^[A-Za-z0-9_-]{48}$/)
  expect(await decodeShareFragment(fragment)).toEqual(shareKey)
})

test('T038 a link truncated at any position is detected', async () => {
  const fragment = await encodeShareFragment(createShareKey())

  for (let length = 0; length < fragment.length; length += 1) {
    await expectCryptoError(() => decodeShareFragment(fragment.slice(0, length)), 'truncated')
  }
})

test('T038 a link with one changed character is detected', async () => {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/=% ']
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 47 }), fc.constantFrom(...alphabet), async (position, letter) => {
      const fragment = await encodeShareFragment(createShareKey())
      fc.pre(fragment[position] !== letter)
      const modified = fragment.slice(0, position) + letter + fragment.slice(position + 1)

      await expectCryptoError(() => decodeShareFragment(modified), 'malformed')
    }),
    { numRuns: 300 },
  )
})

test('the share key of a file is deterministic and differs for another file or account', async () => {
  const accountKey = createKey()
  const otherUid = new Uint8Array(16).fill(4)

  const keys = await Promise.all([
    deriveShareKey(accountKey, fileUid),
    deriveShareKey(accountKey, otherUid),
    deriveShareKey(createKey(), fileUid),
  ])

  expect(await deriveShareKey(accountKey, fileUid)).toEqual(keys[0])
  expect(new Set(keys.map((key) => key.toHex())).size).toBe(3)
})

test('a share key is not derived for a file id of another size', async () => {
  await expectCryptoError(() => deriveShareKey(createKey(), new Uint8Array(15)), 'malformed')
})

test('the proof of a share key is not the key', async () => {
  const shareKey = createShareKey()

  const proof = await shareProof(shareKey)

  expect(proof).toHaveLength(32)
  expect(proof).not.toEqual(shareKey)
  expect(await shareProof(shareKey)).toEqual(proof)
  expect(await shareProof(createShareKey())).not.toEqual(proof)
})

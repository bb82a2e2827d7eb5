import { gcm } from '@noble/ciphers/aes.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { open } from './gcm.ts'
import { seal } from './gcm-seal.ts'
import { deriveBytes, importHkdfSecret } from './hkdf.ts'
import { stretch } from './password.ts'
import { concatPieces } from './testing/pieces.ts'
import { withRandom } from './testing/scripted-random.ts'

const bytes = (hex: string) => Uint8Array.fromHex(hex)
const octets = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((content) => new Uint8Array(content))
const aesKey = (key: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

const key15 = 'feffe9928665731c6d6a8f9467308308'.repeat(2)
const plain15 =
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255'
const cipher15 =
  '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad'

test.each([
  ['13', '00'.repeat(32), '00'.repeat(12), '', '', '', '530f8afbc74536b9a963b4f1c4cb738b'],
  [
    '14',
    '00'.repeat(32),
    '00'.repeat(12),
    '',
    '00'.repeat(16),
    'cea7403d4d606b6e074ec5d3baf39d18',
    'd0d1c8a799996bf0265b98b5d48ab919',
  ],
  ['15', key15, 'cafebabefacedbaddecaf888', '', plain15, cipher15, 'b094dac5d93471bdec1a502270e3cc6c'],
  [
    '16',
    key15,
    'cafebabefacedbaddecaf888',
    'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    plain15.slice(0, 120),
    cipher15.slice(0, 120),
    '76fc6ece0f4e1768cddf8853bb2d551b',
  ],
])(
  'T003 case %s of the GCM specification seals and opens as printed',
  async (_number, hexKey, iv, aadHex, plain, cipher, tag) => {
    const key = await aesKey(bytes(hexKey))
    const input = { key, aad: bytes(aadHex) }

    const sealed = await withRandom([bytes(iv)], () => seal({ ...input, plain: bytes(plain) }))

    expect(sealed.toHex()).toBe(iv + cipher + tag)
    expect((await open({ ...input, sealed }))?.toHex()).toBe(plain)
  },
)

test('T003 (in place of the Wycheproof files) AES-256-GCM matches the noble library, in 500 random cases', async () => {
  const cases = [octets(32, 32), octets(12, 12), octets(0, 80), octets(0, 80)] as const
  await fc.assert(
    fc.asyncProperty(...cases, async (secret, iv, aad, plain) => {
      const key = await aesKey(secret)
      const expected = concatPieces([iv, gcm(secret, iv, aad).encrypt(plain)])

      const actual = await withRandom([iv], () => seal({ key, plain, aad }))

      expect(actual.toHex()).toBe(expected.toHex())
      expect((await open({ key, sealed: expected, aad }))?.toHex()).toBe(plain.toHex())
    }),
    { numRuns: 500 },
  )
})

test('T003 (in place of the Wycheproof files) both reject any modification, in 500 random cases', async () => {
  const cases = [
    octets(32, 32),
    octets(12, 12),
    octets(1, 40),
    octets(0, 40),
    fc.nat(),
    fc.integer({ min: 1, max: 255 }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...cases, async (secret, iv, aad, plain, where, by) => {
      const key = await aesKey(secret)
      const changed = concatPieces([iv, gcm(secret, iv, aad).encrypt(plain), aad])
      const offset = where % changed.length
      changed[offset] = (changed[offset] ?? 0) ^ by
      const sealed = changed.subarray(0, changed.length - aad.length)
      const boundAad = changed.subarray(changed.length - aad.length)

      expect(await open({ key, sealed, aad: boundAad })).toBeNull()
      expect(() => gcm(secret, sealed.slice(0, 12), boundAad).decrypt(sealed.slice(12))).toThrow()
    }),
    { numRuns: 500 },
  )
})

test.each([0, 1, 12, 27])('%i bytes are too short to open', async (length) => {
  const key = await aesKey(new Uint8Array(32).fill(1))

  expect(await open({ key, sealed: new Uint8Array(length), aad: new Uint8Array(0) })).toBeNull()
})

test('an error other than a wrong tag is rethrown', async () => {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32).fill(1), 'AES-GCM', false, ['encrypt'])

  await expect(open({ key, sealed: new Uint8Array(40), aad: new Uint8Array(0) })).rejects.toThrow()
})

test.each([
  [
    'A.1',
    '0b'.repeat(22),
    '000102030405060708090a0b0c',
    'f0f1f2f3f4f5f6f7f8f9',
    '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
  ],
  [
    'A.2',
    concatPieces([Uint8Array.from({ length: 80 }, (_, index) => index)]).toHex(),
    Uint8Array.from({ length: 80 }, (_, index) => 0x60 + index).toHex(),
    Uint8Array.from({ length: 80 }, (_, index) => 0xb0 + index).toHex(),
    'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
  ],
  [
    'A.3',
    '0b'.repeat(22),
    '',
    '',
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  ],
])('T003 HKDF-SHA-256 gives the output of RFC 5869, %s', async (_case, secret, salt, info, output) => {
  const from = await importHkdfSecret(bytes(secret))

  const derived = await deriveBytes({ from, salt: bytes(salt), info: bytes(info) }, output.length / 2)

  expect(derived.toHex()).toBe(output)
})

test('T003 (in place of the Wycheproof files) HKDF-SHA-256 matches the noble library, in 500 random cases', async () => {
  const cases = [octets(1, 100), octets(0, 70), octets(0, 70), fc.integer({ min: 1, max: 200 })] as const
  await fc.assert(
    fc.asyncProperty(...cases, async (secret, salt, info, length) => {
      const derived = await deriveBytes({ from: await importHkdfSecret(secret), salt, info }, length)

      expect(derived.toHex()).toBe(hkdf(sha256, secret, salt, info, length).toHex())
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['passwd', 'salt', 1, '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc'],
  ['Password', 'NaCl', 80_000, '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56'],
  ['password', 'salt', 1, '120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b'],
  ['password', 'salt', 2, 'ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43'],
  ['password', 'salt', 4096, 'c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a'],
])(
  'T003 PBKDF2-HMAC-SHA-256 of %s and %s, %i iterations, is the published value',
  async (password, salt, iterations, output) => {
    const encode = (text: string) => new TextEncoder().encode(text)

    expect((await stretch(encode(password), encode(salt), iterations)).toHex()).toBe(output)
  },
)

test('T003 (in place of the Wycheproof files) PBKDF2-HMAC-SHA-256 matches the noble library, in 300 random cases', async () => {
  const cases = [octets(1, 100), octets(0, 100), fc.integer({ min: 1, max: 20 })] as const
  await fc.assert(
    fc.asyncProperty(...cases, async (password, salt, iterations) => {
      const expected = pbkdf2(sha256, password, salt, { c: iterations, dkLen: 32 })

      expect((await stretch(password, salt, iterations)).toHex()).toBe(expected.toHex())
    }),
    { numRuns: 300 },
  )
})

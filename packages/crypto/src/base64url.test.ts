import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64url, toBase64url } from './base64url.ts'

const arbitraryBytes = (constraints: fc.IntArrayConstraints = {}) => fc.uint8Array(constraints)

test.each([
  ['', ''],
  ['00', 'AA'],
  ['fb', '-w'],
  ['ffff', '__8'],
  ['fbefff', '--__'],
  ['00000000', 'AAAAAA'],
])('the bytes %s are encoded as %s', (hex, text) => {
  expect(toBase64url(Uint8Array.fromHex(hex))).toBe(text)
  expect(fromBase64url(text).toHex()).toBe(hex)
})

test('bytes are encoded as by the platform, and decode to the same bytes', () => {
  fc.assert(
    fc.property(arbitraryBytes({ maxLength: 300 }), (bytes) => {
      const text = toBase64url(bytes)

      expect(text).toBe(bytes.toBase64({ alphabet: 'base64url', omitPadding: true }))
      expect(fromBase64url(text)).toEqual(bytes)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['padding', 'AA=='],
  ['partial padding', 'AAA='],
  ['a space', 'AA A'],
  ['a line break', 'AAAA\n'],
  ['the standard alphabet, plus', 'AA+A'],
  ['the standard alphabet, slash', 'AA/A'],
  ['a single character', 'A'],
  ['five characters', 'AAAAA'],
  ['unused bits after one byte', 'AB'],
  ['unused bits after two bytes', 'AAB'],
  ['a non-ASCII character', 'AAAÄ'],
  ['a surrogate pair', 'AA😀'],
  ['a NUL', 'AAA\0'],
])('T021 text with %s is malformed', (_what, text) => {
  expect(() => fromBase64url(text)).toThrow(expect.objectContaining({ code: 'malformed' }))
})

test('T021 no two texts decode to the same bytes', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      try {
        expect(toBase64url(fromBase64url(text))).toBe(text)
      } catch (error) {
        expect(error).toMatchObject({ code: 'malformed' })
      }
    }),
    { numRuns: 500 },
  )
})

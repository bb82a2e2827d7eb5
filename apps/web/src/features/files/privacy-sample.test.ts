import { isSealedName, toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { encryptSampleName, hexLines } from './privacy-sample.ts'

test('hexLines: shows the first bytes of the encrypted name', () => {
  const bytes = Uint8Array.from({ length: 120 }, (_, index) => index)

  const lines = hexLines(`ef1.${toBase64url(bytes)}`)

  expect(lines).toEqual(['0001 0203 0405 0607 0809', '0a0b 0c0d 0e0f 1011 1213', '1415 1617 1819 1a1b 1c1d'])
})

test('hexLines: returns nothing for a name that is not encrypted', () => {
  expect(hexLines('holiday photos.zip')).toEqual([])
})

test('encryptSampleName: returns a different encrypted name each time', async () => {
  const [first, second] = [await encryptSampleName(), await encryptSampleName()]

  expect(isSealedName(first)).toBe(true)
  expect(first).not.toBe(second)
})

import { isSealedName, toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { hexLines, sealSampleName } from './ledger-bytes.ts'

test('the bytes shown are the first bytes of the sealed name itself', () => {
  const bytes = Uint8Array.from({ length: 120 }, (_, index) => index)

  const lines = hexLines(`ef1.${toBase64url(bytes)}`)

  expect(lines).toEqual(['0001 0203 0405 0607 0809', '0a0b 0c0d 0e0f 1011 1213', '1415 1617 1819 1a1b 1c1d'])
})

test('a name that is not sealed has no bytes to show', () => {
  expect(hexLines('holiday photos.zip')).toEqual([])
})

test('the sample is a sealed name like any other, and never the same twice', async () => {
  const [one, other] = [await sealSampleName(), await sealSampleName()]

  expect(isSealedName(one)).toBe(true)
  expect(one).not.toBe(other)
})

import { toSasEmoji } from '@sallyport/client/portal/pairing/pake'
import { expect, test } from 'vitest'
import { emojiName } from './sas-emoji.ts'

test('each of the 64 verification emoji has a unique name', () => {
  const emoji = Array.from({ length: 64 }, (_, index) => toSasEmoji(new Uint8Array([0, 0, index]))[3] ?? '')
  const names = emoji.map(emojiName)

  expect(new Set(emoji).size).toBe(64)
  expect(new Set(names).size).toBe(64)
  expect(names).not.toContain('')
})

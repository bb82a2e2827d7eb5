import { emojiOf } from '@sallyport/client/portal/meeting/emoji'
import { expect, test } from 'vitest'
import { nameOfPicture } from './pictures.ts'

test('every picture that two people may have to compare has a name of its own', () => {
  const pictures = Array.from({ length: 64 }, (_, index) => emojiOf(new Uint8Array([0, 0, index]))[3] ?? '')
  const names = pictures.map(nameOfPicture)

  expect(new Set(pictures).size).toBe(64)
  expect(new Set(names).size).toBe(64)
  expect(names).not.toContain('')
})

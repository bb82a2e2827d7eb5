import { expect, test } from 'vitest'
import { plainDigits } from './plain-digits.ts'

test.each([
  ['482913', '482913'],
  ['482 913', '482913'],
  ['482\u2011913', '482913'],
  ['\u200b482913\u00a0\n', '482913'],
  ['PIN: 482913.', '482913'],
  ['\uff14\uff18\uff12\uff19\uff11\uff13', '482913'],
  ['٤٨٢٩١٣', '482913'],
  ['۴۸۲۹۱۳', '482913'],
  ['४८२९१३', '482913'],
  ['\u{1d7d2}\u{1d7d6}\u{1d7d0}', '482'],
  ['', ''],
])('plainDigits: %j is %s', (text, digits) => {
  expect(plainDigits(text)).toBe(digits)
})

test('plainDigits: every decimal digit of Unicode has its value', () => {
  const zeros: number[] = []
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const found = plainDigits(String.fromCodePoint(codePoint))
    if (found === '0') zeros.push(codePoint)
    else if (found !== '' && /\p{Nd}/u.test(String.fromCodePoint(codePoint))) {
      expect(codePoint - (zeros.at(-1) ?? 0)).toBe(Number(found))
    }
  }
  expect(zeros.length).toBeGreaterThan(60)
})

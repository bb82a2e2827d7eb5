import { expect, test } from 'vitest'
import { replaceHidden } from './hidden-characters.ts'
import { safeFileName } from './safe-file-name.ts'

const mark = (text: string) => replaceHidden(text, () => '#')

/** Ranges that draw nothing, by Unicode's tables and by audits of names. */
const blankRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x070f, 0x070f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffc],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]
const isBlank = (code: number) => blankRanges.some(([first, last]) => first <= code && code <= last)
const isSurrogate = (code: number) => 0xd800 <= code && code <= 0xdfff

/** Characters that are drawn or have a width; unassigned and private ones are drawn as a box. */
const isDrawn = (character: string) => /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cn}\p{Co}]/u.test(character)
const signsOfNumbers = new Set([0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd])

test('T040 every character of Unicode in a name is drawn, or marked and removed from the saved name', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (isSurrogate(code)) continue
    const character = String.fromCodePoint(code)
    const isMarked = replaceHidden(`pay${character}pal.pdf`, () => '[mark]') === 'pay[mark]pal.pdf'
    const mustBeMarked = isBlank(code) || !(isDrawn(character) || signsOfNumbers.has(code))
    if (mustBeMarked && !isMarked) wrong.push(`U+${code.toString(16)} is hidden`)
    if (isMarked && safeFileName(`pay${character}pal.pdf`) !== 'paypal.pdf')
      wrong.push(`U+${code.toString(16)} is saved`)
  }
  expect(wrong).toEqual([])
})

test('T040 text that is drawn is not marked', () => {
  const blanks = new Set([0x115f, 0x1160, 0x3164, 0xffa0, 0x13441, 0x13442])
  const wrong: string[] = []
  for (let code = 0x20; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (/[\p{L}\p{N}\p{P}]/u.test(character) && !blanks.has(code) && mark(character) !== character)
      wrong.push(`U+${code.toString(16)}`)
  }
  expect(wrong).toEqual([])
})

test.each([
  ['a family', '👩‍👧‍👦'],
  ['a profession with a skin tone', '👩🏽‍🚀'],
  ['a heart in colour', '❤️'],
  ['a heart as text', '❤︎'],
  ['a heart on fire', '❤️‍🔥'],
  ['a rainbow flag and a pirate flag', '🏳️‍🌈🏴‍☠️'],
  ['the flags of England, Scotland and Wales', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['the flag of a country', '🇺🇳'],
  ['keycaps', '1️⃣#️⃣'],
  ['hair', '👨‍🦰'],
  ['a woman who nods', '🙂‍↕️'],
  ['a Persian plural', 'کتاب‌ها'],
  ['a Persian verb', 'می‌خواهم'],
  ['a Persian year', '۱۴۰۲ ه‍.ش'],
  ['a Hindi half form', 'क्‍ष'],
  ['a Hindi conjunct that is written apart', 'क्‌ष'],
  ['a Bengali ra', 'র‍্যাব'],
  ['a Malayalam chillu at the end of a word', 'അവന്‍ '],
  ['a Telugu consonant at the end of a word', 'లినక్స్‌.pdf'],
  ['a Sinhala name', 'ශ්‍රී'],
  ['a Mongolian variant', 'ᠮᠣᠩᠭᠣᠯ᠋'],
  ['a Japanese variant', '葛󠄀城市'],
  ['an Arabic verse number', '۝١'],
])('T040 %s stays as it is, also in a saved name', (_, text) => {
  expect(mark(text)).toBe(text)
  expect(safeFileName(`${text}.pdf`)).toBe(`${text}.pdf`.normalize('NFC'))
})

test.each([
  ['joiners between Latin characters', 'pay\u200dpal\u200c', 'pay#pal#'],
  ['a joiner before Latin text', 'می\u200cpal', 'می#pal'],
  ['a joiner after Latin text', 'pal\u200cمی', 'pal#می'],
  ['a second joiner', 'می\u200c\u200cخواهم', 'می##خواهم'],
  ['a joiner between Cyrillic, Greek or Han characters', 'ж\u200dж α\u200cα 写\u200d真', 'ж#ж α#α 写#真'],
  ['a joiner after an emoji without a second', '👩\u200d.exe', '👩#.exe'],
  ['a variation selector after text', 'a\ufe0f.exe', 'a#.exe'],
  ['a second variation selector', '❤\ufe0f\ufe0f', '❤\ufe0f#'],
  ['a variation selector after a digit without a keycap', '1\ufe0f', '1#'],
  ['text in tags', 'a\u{e0065}\u{e0078}\u{e0065}', 'a###'],
  ['text in tags after a flag', '🏴\u{e0065}\u{e0078}\u{e0065}\u{e007f}', '🏴####'],
  ['a variant of nothing', 'a\u{e0100}', 'a#'],
])('T040 %s is marked', (_, text, marked) => {
  expect(mark(text)).toBe(marked)
})

import { expect, test } from 'vitest'
import { visibleName } from './visible-name.ts'
import { nameInSentence, visibleAddress, visibleText } from './visible-text.ts'

test.each([
  ['an ordinary name', 'Ångström “report” v1.2.pdf', 'Ångström “report” v1.2.pdf'],
  ['a direction override', 'invoice\u202egpj.exe', 'invoice[U+202E]gpj.exe'],
  ['isolates and marks', '\u2066a\u2069\u200eb\u061c.txt', '[U+2066]a[U+2069][U+200E]b[U+061C].txt'],
  ['a space without width', 'pay\u200bpal.pdf', 'pay[U+200B]pal.pdf'],
  ['a joiner between Latin letters', 'pay\u200dpal.pdf', 'pay[U+200D]pal.pdf'],
  ['an emoji of several people', '👩‍👧‍👦 trip.jpg', '👩‍👧‍👦 trip.jpg'],
  ['a Persian word with a non-joiner', 'می‌خواهم.txt', 'می‌خواهم.txt'],
  ['Arabic and Hebrew names', 'تقرير.pdf', 'تقرير.pdf'],
  ['a line break', 'a\nb.txt', 'a[U+000A]b.txt'],
  ['a Cyrillic letter in the extension', 'report.p\u0440t', 'report.p\u0440[U+0440]t'],
  ['an extension of look-alikes', 'setup.\u0435\u0445\u0435', 'setup.\u0435[U+0435]\u0445[U+0445]\u0435[U+0435]'],
  ['an extension of another alphabet', 'отчёт.текст', 'отчёт.текст'],
  ['a Cyrillic name', 'соха.pdf', 'соха.pdf'],
  ['a name without extension', 'соха', 'соха'],
  ['a full-width extension', 'a.ｅｘｅ', 'a.ｅ[U+FF45]ｘ[U+FF58]ｅ[U+FF45]'],
  ['an extension of mathematical characters', 'x.𝗲𝘅𝗲', 'x.𝗲[U+1D5F2]𝘅[U+1D605]𝗲[U+1D5F2]'],
  ['a full-width dot', 'invoice.exe．pdf', 'invoice.exe．[U+FF0E]pdf'],
  ['a one-dot leader', 'invoice\u2024exe', 'invoice\u2024[U+2024]exe'],
  ['an extension after a wide space', 'a\u3000.exe', 'a[U+3000].exe'],
  ['an extension after ordinary and other spaces', 'a.pdf \u00a0 \u3000.exe', 'a.pdf [U+00A0] [U+3000].exe'],
  ['an extension after blank Braille', 'a\u2800\u2800.exe', 'a[U+2800][U+2800].exe'],
  ['a wide space at the end', 'a.exe\u3000', 'a.exe\u3000[U+3000]'],
  ['a Japanese name with a wide space', '山田　太郎.pdf', '山田　太郎.pdf'],
  ['a full-width version in a Japanese name', '議事録１．５.pdf', '議事録１．５.pdf'],
  ['a Hindi name with a joiner', 'क्\u200dष.pdf', 'क्\u200dष.pdf'],
  ['text in tags', 'a\u{e0065}.pdf', 'a[U+E0065].pdf'],
  ['a soft hyphen and a joiner of graphemes', 'pay\u00adpal\u034f', 'pay[U+00AD]pal[U+034F]'],
])('T040 %s is shown with marks for what deceives', (_, name, shown) => {
  expect(visibleName(name)).toBe(shown)
})

test('a message keeps line breaks and marks of direction, and shows what reorders or hides text', () => {
  expect(visibleText('one\ntwo\u200f')).toBe('one\ntwo\u200f')
  expect(visibleText('https://\u202emoc.elpmaxe\u202c')).toBe('https://[U+202E]moc.elpmaxe[U+202C]')
})

test('a message shows what hides in it, and keeps emoji and joiners', () => {
  expect(visibleText('a\u00ad\u2800\u3164\u{e0065}\u001b\tb\r\n')).toBe(
    'a[U+00AD][U+2800][U+3164][U+E0065][U+001B]\tb\r\n',
  )
  expect(visibleText('👩‍👧‍👦 می\u200cخواهم')).toBe('👩‍👧‍👦 می\u200cخواهم')
})

test('T040 the address of a link shows marks of direction too', () => {
  expect(visibleAddress('https://example.org/\u200fa')).toBe('https://example.org/[U+200F]a')
})

test('T040 a name in a sentence is isolated, so that it cannot reorder the words around it', () => {
  expect(nameInSentence('\u202eAnna')).toBe('\u2068[U+202E]Anna\u2069')
})

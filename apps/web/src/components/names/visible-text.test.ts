import { expect, test } from 'vitest'
import { visibleName, visibleText } from './visible-text.ts'

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
])('T040 %s is shown with marks for what deceives', (_, name, shown) => {
  expect(visibleName(name)).toBe(shown)
})

test('a message keeps line breaks and marks of direction, and shows what reorders or hides text', () => {
  expect(visibleText('one\ntwo\u200f')).toBe('one\ntwo\u200f')
  expect(visibleText('https://\u202emoc.elpmaxe\u202c')).toBe('https://[U+202E]moc.elpmaxe[U+202C]')
})

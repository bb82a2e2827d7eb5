import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName, uniqueFileName } from './safe-file-name.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).length

test.each([
  ['an ordinary name', 'Ångström “report”.pdf', 'Ångström “report”.pdf'],
  ['a path', '../../etc/passwd', 'passwd'],
  ['a Windows path', 'C:\\Windows\\system.ini', 'C__Windows_system.ini'],
  ['an absolute path', '/etc/shadow', 'shadow'],
  ['a file in folders', 'site/plans.d/north.dwg', 'north.dwg'],
  ['a folder without a file', 'site/plans/', 'plans'],
  ['nothing but ways upwards', '../ /./..', 'file'],
  ['a NUL', 'a\0b.txt', 'ab.txt'],
  ['line breaks and tabs', 'a\r\n\tb.txt', 'ab.txt'],
  ['a reading direction', 'invoice\u202Egnp.exe', 'invoicegnp.exe'],
  ['isolates and marks', '\u2066a\u2069\u200eb\u061c.txt', 'ab.txt'],
  ['a byte order mark', '\ufeffa.txt', 'a.txt'],
  ['leading dots', '...hidden', 'hidden'],
  ['leading dots and blanks', ' . .hidden', 'hidden'],
  ['trailing dots and blanks', 'name.txt . .', 'name.txt'],
  ['only dots', '..', 'file'],
  ['nothing', '', 'file'],
  ['only blanks', '   ', 'file'],
  ['only control characters', '\x01\x02', 'file'],
  ['a device', 'CON', '_CON'],
  ['a device with an extension', 'nul.txt', '_nul.txt'],
  ['a device with two extensions', 'com1.tar.gz', '_com1.tar.gz'],
  ['a device and a blank', 'aux .txt', '_aux .txt'],
  ['a device with a raised digit', 'LPT¹.txt', '_LPT¹.txt'],
  ['no device', 'console.log', 'console.log'],
  ['no device either', 'com10', 'com10'],
  ['what Windows forbids', 'a<b>c:d"e|f?g*h.txt', 'a_b_c_d_e_f_g_h.txt'],
  ['markup', '<img src=x onerror=alert(1)>.png', '_img src=x onerror=alert(1)_.png'],
  ['a joined emoji', '👩‍👧.png', '👩‍👧.png'],
  ['half an emoji', 'a\ud83d.png', 'a\ufffd.png'],
  ['a decomposed name', 'A\u030a.txt', 'Å.txt'],
])('T040 %s is saved harmlessly: %j as %j', (_what, name, saved) => {
  expect(safeFileName(name)).toBe(saved)
})

test('T040 a long name is cut to 200 bytes between two letters and keeps its extension', () => {
  expect(safeFileName(`${'n'.repeat(300)}.pdf`)).toBe(`${'n'.repeat(196)}.pdf`)
  expect(safeFileName(`${'€'.repeat(100)}.pdf`)).toBe(`${'€'.repeat(65)}.pdf`)
  expect(safeFileName(`a.${'x'.repeat(300)}`)).toBe(`a.${'x'.repeat(198)}`)
  expect(safeFileName(`${'n'.repeat(195)} ${'n'.repeat(50)}.pdf`)).toBe(`${'n'.repeat(195)}.pdf`)
})

test('T040 whatever the name, what is saved is harmless, short, never empty, and stays as it is', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom('.', ' ', '/', '\\', 'C', 'O', 'N', '\0', '\u202e', 'é', '\ud83d', '1'),
      maxLength: 250,
    }),
  )
  fc.assert(
    fc.property(names, (name) => {
      const saved = safeFileName(name)

      expect(saved).not.toBe('')
      expect(bytesOf(saved)).toBeLessThanOrEqual(200)
      expect(saved).not.toMatch(/[/\\:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]|^[.\s]|[.\s]$/u)
      expect(saved).not.toMatch(/^(con|prn|aux|nul|com[0-9]|lpt[0-9])\s*(\.|$)/i)
      expect(safeFileName(saved)).toBe(saved)
    }),
    { numRuns: 2000 },
  )
})

test('names that are taken get a number, whatever the case of their letters', () => {
  const taken = new Set<string>()

  const names = ['a.txt', 'A.TXT', 'a.txt', 'a (2).txt', 'b', 'B'].map((name) => uniqueFileName(name, taken))

  expect(names).toEqual(['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt', 'b', 'B (2)'])
})

test('a number still fits where the name has 200 bytes', () => {
  const taken = new Set<string>()
  const long = `${'n'.repeat(300)}.pdf`

  const [first, second] = [uniqueFileName(long, taken), uniqueFileName(long, taken)]

  expect(first).toBe(`${'n'.repeat(196)}.pdf`)
  expect(second).toBe(`${'n'.repeat(192)} (2).pdf`)
})

test('no two of many names are saved as one', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', ' ', '(', '2', ')'), maxLength: 6 }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(names, (given) => {
      const taken = new Set<string>()

      const saved = given.map((name) => uniqueFileName(name, taken).toLowerCase())

      expect(new Set(saved).size).toBe(given.length)
    }),
    { numRuns: 500 },
  )
})

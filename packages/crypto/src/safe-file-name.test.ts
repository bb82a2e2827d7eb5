import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName } from './safe-file-name.ts'
import { uniqueFileName } from './unique-file-name.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).length

test.each([
  ['an ordinary name', 'Ångström “report”.pdf', 'Ångström “report”.pdf'],
  ['a path', '../../etc/passwd', 'passwd'],
  ['a Windows path', 'C:\\Windows\\system.ini', 'C__Windows_system.ini'],
  ['an absolute path', '/etc/shadow', 'shadow'],
  ['a file in folders', 'site/plans.d/north.dwg', 'north.dwg'],
  ['a folder without a file', 'site/plans/', 'plans'],
  ['only parent folders', '../ /./..', 'file'],
  ['a NUL', 'a\0b.txt', 'ab.txt'],
  ['line breaks and tabs', 'a\r\n\tb.txt', 'ab.txt'],
  ['a text direction override', 'invoice\u202Egnp.exe', 'invoicegnp.exe'],
  ['isolates and marks', '\u2066a\u2069\u200eb\u061c.txt', 'ab.txt'],
  ['a byte order mark', '\ufeffa.txt', 'a.txt'],
  ['characters without a shape', 'pay\u200bpal\u00ad\u2060\u3164.p\u180edf\uffa0\ufffb', 'paypal.pdf'],
  ['only characters without a shape', '\u200b\u2064\u115f\u1160', 'file'],
  ['a decomposed letter around a character without a shape', 'A\u200b\u030a.txt', 'Å.txt'],
  ['leading dots', '...hidden', 'hidden'],
  ['leading dots and spaces', ' . .hidden', 'hidden'],
  ['trailing dots and spaces', 'name.txt . .', 'name.txt'],
  ['only dots', '..', 'file'],
  ['nothing', '', 'file'],
  ['only spaces', '   ', 'file'],
  ['only control characters', '\x01\x02', 'file'],
  ['a device name', 'CON', '_CON'],
  ['a device name with an extension', 'nul.txt', '_nul.txt'],
  ['a device name with two extensions', 'com1.tar.gz', '_com1.tar.gz'],
  ['a device name and a space', 'aux .txt', '_aux .txt'],
  ['a device name with a superscript digit', 'LPT¹.txt', '_LPT¹.txt'],
  ['no device name', 'console.log', 'console.log'],
  ['no device name either', 'com10', 'com10'],
  ['characters that Windows reserves', 'a<b>c:d"e|f?g*h.txt', 'a_b_c_d_e_f_g_h.txt'],
  ['markup', '<img src=x onerror=alert(1)>.png', '_img src=x onerror=alert(1)_.png'],
  ['a joined emoji', '👩‍👧.png', '👩‍👧.png'],
  ['a lone surrogate', 'a\ud83d.png', 'a\ufffd.png'],
  ['a decomposed name', 'A\u030a.txt', 'Å.txt'],
  ['tags, blanks and selectors', 'a\u{e0065}\u2800\ufe0f\u034f\u206f\u{1d173}\ufff0.txt', 'a.txt'],
  ['a Persian name', 'می\u200cخواهم.txt', 'می\u200cخواهم.txt'],
  ['a full-width extension', 'a.ｅｘｅ', 'a.exe'],
  ['an extension of mathematical characters', 'x.𝗲𝘅𝗲', 'x.exe'],
  ['a full-width dot', 'invoice.exe．pdf', 'invoice.exe.pdf'],
  ['a one-dot leader', 'invoice\u2024exe', 'invoice.exe'],
  ['a full stop of Lisu', 'invoice\ua4f8exe', 'invoice.exe'],
  ['a number with a full stop', 'invoice\u2488exe', 'invoice1.exe'],
  ['a device name with a full-width dot', 'con．ｔｘｔ', '_con.txt'],
  ['a full-width extension before dots', 'a.ｅｘｅ. .', 'a.exe'],
  ['ideographic spaces before the extension', `invoice.pdf${'\u3000'.repeat(50)}.exe`, 'invoice.pdf .exe'],
  ['ordinary spaces before the extension', `invoice.pdf${' '.repeat(50)}.exe`, 'invoice.pdf .exe'],
  ['blank Braille before the extension', `invoice.pdf${'\u2800'.repeat(50)}.exe`, 'invoice.pdf.exe'],
  ['a space before the extension', 'plan .pdf', 'plan .pdf'],
  ['a Japanese name with a wide space', '山田　太郎.pdf', '山田　太郎.pdf'],
  ['a full-width version in a Japanese name', '議事録１．５', '議事録１．５'],
  ['full-width text before a Japanese extension', '第１．２版', '第１．２版'],
  ['a full-width name with a plain extension', 'ＡＢＣ．株.pdf', 'ＡＢＣ．株.pdf'],
  ['a Cyrillic extension', 'отчёт.текст', 'отчёт.текст'],
])('T040 %s is saved safely: %j as %j', (_what, name, saved) => {
  expect(safeFileName(name)).toBe(saved)
})

test('T040 a long name is truncated to 200 bytes at a character boundary and keeps its extension', () => {
  expect(safeFileName(`${'n'.repeat(300)}.pdf`)).toBe(`${'n'.repeat(196)}.pdf`)
  expect(safeFileName(`${'€'.repeat(100)}.pdf`)).toBe(`${'€'.repeat(65)}.pdf`)
  expect(safeFileName(`a.${'x'.repeat(300)}`)).toBe(`a.${'x'.repeat(198)}`)
  expect(safeFileName(`${'n'.repeat(195)} ${'n'.repeat(50)}.pdf`)).toBe(`${'n'.repeat(195)}.pdf`)
})

test('T040 every name becomes safe, at most 200 bytes long, non-empty, and stays unchanged the second time', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom('.', ' ', '/', '\\', 'C', 'O', 'N', '\0', '\u202e', 'e', '\u0301', '\u200b', '\ud83d', '1'),
      maxLength: 250,
    }),
    fc.string({
      unit: fc.constantFrom(
        '．',
        '.',
        'ｅ',
        'Ⅷ',
        '⒈',
        '…',
        '株',
        'm',
        '／',
        '　',
        ' ',
        '\u2800',
        '\u200d',
        '\ufe0f',
        '❤',
        'ب',
      ),
      maxLength: 120,
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

test('used names get a number, case-insensitively', () => {
  const usedNames = new Set<string>()

  const names = ['a.txt', 'A.TXT', 'a.txt', 'a (2).txt', 'b', 'B'].map((name) => uniqueFileName(name, usedNames))

  expect(names).toEqual(['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt', 'b', 'B (2)'])
})

test('a number is added within 200 bytes', () => {
  const usedNames = new Set<string>()
  const long = `${'n'.repeat(300)}.pdf`

  const [first, second] = [uniqueFileName(long, usedNames), uniqueFileName(long, usedNames)]

  expect(first).toBe(`${'n'.repeat(196)}.pdf`)
  expect(second).toBe(`${'n'.repeat(192)} (2).pdf`)
})

test('no two of many names are equal after saving', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', ' ', '(', '2', ')'), maxLength: 6 }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(names, (given) => {
      const usedNames = new Set<string>()

      const saved = given.map((name) => uniqueFileName(name, usedNames).toLowerCase())

      expect(new Set(saved).size).toBe(given.length)
    }),
    { numRuns: 500 },
  )
})

import { expect, test } from 'vitest'
import { checkCatalogue, compileCatalogue, writeCatalogue } from './catalogue.ts'
import { pseudoLocales } from './pseudo-locales.ts'
import { parse, readStrings } from './read-strings.ts'

const text = `export const shareStrings = area('share', {
  invalid: 'Invalid ' + 'link',
  usage: (used: string, limit: string) => \`\${used} of \${limit}\`,
  files: (count: number) => plural(count, { zero: 'None', one: '1 file', other: \`\${formatNumber(count)} files\` }),
  steps: ['First', 'Second'],
})`
const { messages, problems } = readStrings([parse('share.ts', text)])
const english = writeCatalogue(messages)

test('readStrings: reads literals, templates and plural forms', () => {
  expect(problems).toEqual([])
  expect(english).toEqual({
    share: {
      invalid: 'Invalid link',
      usage: '{{used}} of {{limit}}',
      files_zero: 'None',
      files_one: '1 file',
      files_other: '{{count, number}} files',
      steps: { 0: 'First', 1: 'Second' },
    },
  })
  expect(checkCatalogue(messages, english, 'en')).toEqual([])
})

test('readStrings: refuses what a translation could not replace', () => {
  const refused = [
    '(a: string) => a || "b"',
    `(a: string) => \`\${a.trim()}\``,
    '(a: number) => (a === 1 ? "one" : "many")',
    'other.text',
  ].map((value) => readStrings([parse('a.ts', `area('a', { b: ${value} })`)]).problems.length)
  expect(refused).toEqual([1, 1, 1, 1])
  expect(readStrings([parse('a.ts', `area('a', { ...b })`)]).problems).toHaveLength(1)
  expect(readStrings([parse('a.ts', `area('a', {}); area('a', {})`)]).problems).toHaveLength(1)
})

test('compileCatalogue: numbers the parameters, so that a translation may change their order', () => {
  const catalogue = {
    share: { usage: 'von {{limit}} {{used}}', files_one: '1 Datei', files_other: '{{count, number}} Dateien' },
  }
  expect(compileCatalogue(messages, catalogue, 'de')).toEqual({
    share: { usage: 'von {{1}} {{0}}', files: { count: 0, one: '1 Datei', other: '{{0, number}} Dateien' } },
  })
})

test('checkCatalogue: finds wrong placeholders, missing plural forms, HTML, blanks and unknown keys', () => {
  const catalogue = {
    share: {
      invalid: '<b>Zły</b> link',
      usage: ' {{used}} z {{max}}',
      files_one: 'plik',
      files_few: '{{count, number}} pliki',
      files_other: '{{count, number}} pliku',
      gone: 'Nie ma',
    },
  }
  expect(checkCatalogue(messages, catalogue, 'pl')).toEqual([
    'share.invalid: HTML is shown as text',
    'share.usage: unknown placeholder {{max}}',
    'share.usage: missing placeholder {{limit}}',
    'share.usage: empty, or blanks at an end',
    'share.files_many: this plural form is missing',
    'share.gone: no such string',
  ])
  expect(checkCatalogue(messages, { share: { files_one: 'файл', files_other: '{{count, number}}' } }, 'ru')).toContain(
    'share.files_one: missing placeholder {{count}}',
  )
})

test('pseudoLocales: keep placeholders, and make texts 40 % longer in brackets', () => {
  const { 'en-XA': accented, 'en-XB': mirrored } = pseudoLocales
  expect(accented?.('{{used}} of ten')).toBe('[{{used}} öƒ ţéñ ~~~~]')
  expect(mirrored?.('{{used}} of')).toBe('{{used}} \u202eof\u202c')
})

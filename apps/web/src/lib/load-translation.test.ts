import { expect, test } from 'vitest'
import { area, translateAreas } from '#/strings/area.ts'
import { replaceStrings } from './load-translation.ts'

const english = () => ({
  plain: 'Save',
  usage: (used: string, limit: string) => `${used} of ${limit}`,
  files: (count: number) => `${count} files`,
  steps: ['First', 'Second'],
})

test('replaceStrings: replaces texts, functions and plural forms in place', () => {
  const strings = english()
  replaceStrings('pl', strings, {
    plain: 'Zapisz',
    usage: 'z {{1}} {{0}}',
    files: { count: 0, one: '{{0}} plik', few: '{{0}} pliki', many: '{{0}} plików', other: '{{0, number}} pliku' },
    steps: { 0: 'Pierwszy' },
  })
  expect(strings.plain).toBe('Zapisz')
  expect(strings.usage('a', 'b')).toBe('z \u2068b\u2069 \u2068a\u2069')
  expect([1, 2, 5, 1.5].map(strings.files)).toEqual(['1 plik', '2 pliki', '5 plików', '1,5 pliku'])
  expect(strings.steps).toEqual(['Pierwszy', 'Second'])
})

test('replaceStrings: keeps English where a text is missing or of another type', () => {
  const strings = english()
  replaceStrings('de', strings, { plain: 5, usage: { other: 'x' }, files: null, steps: 'x', unknown: 'x' })
  expect([strings.plain, strings.usage('a', 'b'), strings.files(2), strings.steps]).toEqual([
    'Save',
    'a of b',
    '2 files',
    ['First', 'Second'],
  ])
  replaceStrings('de', strings, 'not a catalogue')
  expect(strings.plain).toBe('Save')
})

test('area: translates areas that are declared before and after the translation is loaded', () => {
  const before = area('before', { text: 'Before' })
  translateAreas((name, strings) => replaceStrings('de', strings, { text: `de ${name}` }))
  const after = area('after', { text: 'After' })
  expect([before.text, after.text]).toEqual(['de before', 'de after'])
})

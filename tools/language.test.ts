import { expect, test } from 'vitest'
import { collectTexts, type FoundText, phrasesIn, textsOfSource, wordsOfName } from './language.ts'
import { allowed, bannedInNames, bannedInProse, bannedTypeNames, protocolNames } from './language-rules.ts'

interface Hit extends FoundText {
  readonly phrase: string
}

const isName = ({ kind }: FoundText): boolean => kind === 'name' || kind === 'type'

function hitsOf(found: FoundText): Hit[] {
  if (isName(found) && protocolNames.has(found.text)) return []
  const phrases = isName(found)
    ? phrasesIn(wordsOfName(found.text), bannedInNames)
    : phrasesIn(found.text, bannedInProse)
  return phrases.map((phrase) => ({ ...found, phrase }))
}

const describeHit = ({ kind, path, line, phrase, text }: Hit): string =>
  `${path}:${line} ${kind} has “${phrase}”: ${text.slice(0, 120)}`

/** Reading all sources takes seconds: once for all tests. */
const texts = collectTexts()

test('names, comments, titles, screen strings and documents use the words of the field', () => {
  const hits = texts.flatMap(hitsOf)
  const allowedHits = allowed.map((one) => ({
    one,
    hits: hits.filter(({ path, phrase }) => path.startsWith(one.path) && phrase === one.phrase),
  }))

  const accepted = new Set(allowedHits.flatMap((entry) => entry.hits))
  expect(hits.filter((hit) => !accepted.has(hit)).map(describeHit)).toEqual([])
  expect(allowedHits.filter(({ one, hits: found }) => found.length !== one.count).map(({ one }) => one)).toEqual([])
  expect(allowed.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(40)
})

test('no type has a name that says nothing of what it belongs to', () => {
  const types = texts.filter(({ kind }) => kind === 'type')
  expect(types.length).toBeGreaterThan(1000)
  expect(
    types.filter(({ text }) => bannedTypeNames.includes(text)).map(({ path, text }) => `${path}: ${text}`),
  ).toEqual([])
})

test('the check finds banned words in names, comments, titles and screen strings of a seeded file', () => {
  const source = [
    '/** Tells whoever asks. */',
    'export function goOn(sealLane: string) {',
    '  // it was told before',
    '  return sealLane',
    '}',
    "test('a knock comes', () => undefined)",
    "export const words = { back: 'a way back' }",
  ].join('\n')

  const hits = textsOfSource('apps/web/src/strings/seeded.ts', source).flatMap(hitsOf)

  expect(hits.map(({ kind, phrase }) => `${kind}: ${phrase}`).sort()).toEqual([
    'comment: was told',
    'comment: whoever',
    'name: go on',
    'name: lane',
    'screen: a way back',
    'screen: knock',
    'title: knock',
  ])
})

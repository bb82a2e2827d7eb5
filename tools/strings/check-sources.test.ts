import { expect, test } from 'vitest'
import { findEarlyReads, findInlineTexts, findUnusedStrings } from './check-sources.ts'
import { checkSources } from './page-sources.ts'
import { parse, readStrings } from './read-strings.ts'

const fileOf = (text: string) => [parse('page.tsx', text)]
const strings = parse('strings.ts', `export const pageStrings = area('page', { a: 'A', b: { c: 'C' } })`)

test('the page shows no text that cannot be translated', () => {
  expect(checkSources()).toEqual([])
})

test('findInlineTexts: finds text, attributes and labels, also in branches', () => {
  const found = findInlineTexts(
    fileOf(`const badge = { text: 'Saved' }
      const page = (
        <a aria-label="Close" className="flex" title={isOpen ? 'Open' : undefined}>
          Hello {isDone ? 'done' : <b>·</b>} {\`\${percent} percent\`}
        </a>
      )`),
  )
  expect(found.map((text) => text.replace(/^.*?: /, ''))).toEqual([
    `'Saved'`,
    '"Close"',
    `'Open'`,
    'Hello',
    `'done'`,
    `\`\${percent} percent\``,
  ])
})

test('findInlineTexts: leaves keys, classes and strings of areas alone', () => {
  const page = `const tone = { text: 'text-seal' }
    const page = <a className={isOpen ? 'grid' : 'flex'} title={pageStrings.a}>{pageStrings.b.c} · {count}</a>`
  expect(findInlineTexts(fileOf(page))).toEqual([])
})

test('findEarlyReads: finds reads at module level, not those in functions and types', () => {
  const page = `import { pageStrings } from './strings.ts'
    const label = pageStrings.a
    const lazy = () => pageStrings.a
    type Key = keyof typeof pageStrings`
  expect(findEarlyReads([strings, ...fileOf(page)])).toEqual(['page.tsx:2: page.a'])
})

test('findUnusedStrings: follows destructuring, other names and keys that are computed', () => {
  const { messages } = readStrings([strings])
  const unused = (text: string) => findUnusedStrings(messages, [strings, ...fileOf(text)])
  expect(unused('const f = () => pageStrings.a')).toEqual(['strings.ts:1: page.b.c'])
  expect(unused('const f = (key) => [pageStrings.a, pageStrings.b[key]]')).toEqual([])
  expect(unused('function f() { const { a, b } = pageStrings; return a + b.c }')).toEqual([])
  expect(unused('function f() { const strings = pageStrings; return strings.b.c }')).toEqual(['strings.ts:1: page.a'])
})

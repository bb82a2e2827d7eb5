import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const foldersOf = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

test.each(documents)('every link of %s resolves', (path) => {
  const links = [...read(path).matchAll(/\]\(([^)#\s]+)/g)].flatMap(([, link = '']) => link)
  const broken = links.filter((link) => !/^(https?|mailto):/.test(link) && !existsSync(join(root, dirname(path), link)))
  expect(broken).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md', 'deploy/README.md', 'docs/performance.md', 'docs/performance/notes.md'])(
  'every npm script in %s exists',
  (path) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
    const named = [...read(path).matchAll(/`npm run ([\w:-]+)/g)].flatMap(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  },
)

test.each(['apps/server/src', 'apps/web/src'])('docs/architecture.md mentions each folder of %s', (path) => {
  const page = read('docs/architecture.md')
  const [, part = ''] = page.split(new RegExp(`^${dirname(path)} .*$`, 'm'))
  const section = part.split(/^(?=\S)/m)[0] ?? ''
  expect(
    foldersOf(path).filter((folder) => !section.includes(` ${folder}/`) && !section.includes(`src/${folder}/`)),
  ).toEqual([])
})

test('every decision record has a unique number in its file name and title', () => {
  const pages = readdirSync(join(root, 'docs/decisions'))
  for (const page of pages) {
    const number = Number(page.slice(0, 4))
    expect(read(`docs/decisions/${page}`)).toMatch(new RegExp(`^# 0*${number}\\.? .+\n`))
  }
  expect(new Set(pages.map((page) => page.slice(0, 4))).size).toBe(pages.length)
})

test('the glossary defines at most 30 words, each once', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| (\*\*.+?) \|/gm)].flatMap(([, word = '']) => word)
  expect(words.length).toBeGreaterThan(0)
  expect(words.length).toBeLessThanOrEqual(30)
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})

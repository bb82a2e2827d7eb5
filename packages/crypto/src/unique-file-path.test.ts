import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldersOf, lastPartOf } from './file-path.ts'
import { uniqueFilePath } from './unique-file-path.ts'

const pathsOf = (names: readonly string[]) => {
  const taken = new Map()
  return names.map((name) => uniqueFilePath(name, taken))
}

test('T155 files keep their folders, and two of the same path get a number', () => {
  expect(pathsOf(['site/plans/north.dwg', 'site/Plans/north.dwg', 'site/notes.txt', 'notes.txt'])).toEqual([
    'site/plans/north.dwg',
    'site/Plans/north (2).dwg',
    'site/notes.txt',
    'notes.txt',
  ])
})

test('T155 no way leads upwards, to the root or to a device', () => {
  expect(
    pathsOf(['../../etc/passwd', '/etc/passwd', 'a/../b', 'a\\..\\b', 'con/nul.txt', './/x', ' .. /y', '..']),
  ).toEqual(['etc/passwd', 'etc/passwd (2)', 'a/b', 'a_.._b', '_con/_nul.txt', 'x', 'y', 'file'])
})

test('T155 no file lies where another needs a folder', () => {
  expect(pathsOf(['plans', 'Plans/north.dwg', 'plans/south.dwg', 'site/a.txt', 'SITE'])).toEqual([
    'plans',
    'Plans (2)/north.dwg',
    'plans (2)/south.dwg',
    'site/a.txt',
    'SITE (2)',
  ])
})

test('T155 whatever the names, no two lie in one place and none above or below a file', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '\\', ' ', '2'), maxLength: 9 }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(names, (given) => {
      const paths = pathsOf(given).map((path) => path.toLowerCase())

      expect(new Set(paths).size).toBe(given.length)
      for (const path of paths) {
        expect(path).not.toMatch(/(^|\/)(\.\.?)?(\/|$)/)
        expect(paths.some((other) => other.startsWith(`${path}/`))).toBe(false)
      }
    }),
    { numRuns: 500 },
  )
})

test('a name is told apart from the folders in front of it', () => {
  expect([lastPartOf('site/plans/north.dwg'), foldersOf('site/plans/north.dwg')]).toEqual(['north.dwg', 'site/plans'])
  expect([lastPartOf('north.dwg'), foldersOf('north.dwg')]).toEqual(['north.dwg', ''])
  expect([lastPartOf(''), foldersOf('')]).toEqual(['', ''])
})

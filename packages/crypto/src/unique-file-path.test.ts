import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldersOf, lastPartOf } from './file-path.ts'
import { uniqueFilePath } from './unique-file-path.ts'

const uniquePathsOf = (names: readonly string[]) => {
  const usedPaths = new Map()
  return names.map((name) => uniqueFilePath(name, usedPaths))
}

test('T155 files keep their folders, and equal paths get a number', () => {
  expect(uniquePathsOf(['site/plans/north.dwg', 'site/Plans/north.dwg', 'site/notes.txt', 'notes.txt'])).toEqual([
    'site/plans/north.dwg',
    'site/Plans/north (2).dwg',
    'site/notes.txt',
    'notes.txt',
  ])
})

test('T155 no path leads to a parent folder, the root or a device', () => {
  expect(
    uniquePathsOf(['../../etc/passwd', '/etc/passwd', 'a/../b', 'a\\..\\b', 'con/nul.txt', './/x', ' .. /y', '..']),
  ).toEqual(['etc/passwd', 'etc/passwd (2)', 'a/b', 'a_.._b', '_con/_nul.txt', 'x', 'y', 'file'])
})

test('T155 no file gets the path of a folder', () => {
  expect(uniquePathsOf(['plans', 'Plans/north.dwg', 'plans/south.dwg', 'site/a.txt', 'SITE'])).toEqual([
    'plans',
    'Plans (2)/north.dwg',
    'plans (2)/south.dwg',
    'site/a.txt',
    'SITE (2)',
  ])
})

test('T155 all paths are distinct, and none is inside a file', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '\\', ' ', '2'), maxLength: 9 }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(names, (given) => {
      const paths = uniquePathsOf(given).map((path) => path.toLowerCase())

      expect(new Set(paths).size).toBe(given.length)
      for (const path of paths) {
        expect(path).not.toMatch(/(^|\/)(\.\.?)?(\/|$)/)
        expect(paths.some((other) => other.startsWith(`${path}/`))).toBe(false)
      }
    }),
    { numRuns: 500 },
  )
})

test('a path is split into its folders and the file name', () => {
  expect([lastPartOf('site/plans/north.dwg'), foldersOf('site/plans/north.dwg')]).toEqual(['north.dwg', 'site/plans'])
  expect([lastPartOf('north.dwg'), foldersOf('north.dwg')]).toEqual(['north.dwg', ''])
  expect([lastPartOf(''), foldersOf('')]).toEqual(['', ''])
})

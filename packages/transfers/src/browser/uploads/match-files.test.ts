import { expect, test } from 'vitest'
import { matchFiles } from './match-files.ts'

const modifiedAt = 1_700_000_000_000

const uploadOf = (id: string, name: string, size = 4) => ({ id, name, size, lastModified: modifiedAt, type: '' })

/** Creates a file as a picker returns it: with a path where a folder was chosen. */
const chosenFile = (name: string, path = '', { text = 'text', lastModified = modifiedAt } = {}): File =>
  Object.assign(new File([text], name, { lastModified }), { webkitRelativePath: path })

const matchedIds = (files: readonly File[], ...uploads: readonly ReturnType<typeof uploadOf>[]) =>
  [...matchFiles(files, uploads).keys()].toSorted()

test('matchFiles: matches files to uploads by name, size and modification time', () => {
  const waiting = [uploadOf('1', 'a.txt'), uploadOf('2', 'b.txt'), uploadOf('3', 'c.txt')]

  expect(matchedIds([chosenFile('a.txt'), chosenFile('c.txt'), chosenFile('d.txt')], ...waiting)).toEqual(['1', '3'])
  expect(matchedIds([chosenFile('a.txt', '', { text: 'other' })], ...waiting)).toEqual([])
  expect(matchedIds([chosenFile('a.txt', '', { lastModified: modifiedAt + 1 })], ...waiting)).toEqual([])
})

test('matchFiles: an ambiguous file is not matched until it is chosen with its folder', () => {
  const waiting = [uploadOf('1', 'site/north/plan.dwg'), uploadOf('2', 'site/south/plan.dwg')]

  expect(matchedIds([chosenFile('plan.dwg')], ...waiting)).toEqual([])
  expect(matchedIds([chosenFile('plan.dwg', 'site/south/plan.dwg')], ...waiting)).toEqual(['2'])
  expect(matchedIds([chosenFile('plan.dwg', 'north/plan.dwg')], ...waiting)).toEqual(['1'])
  expect(matchedIds([chosenFile('plan.dwg', 'work/site/north/plan.dwg')], ...waiting)).toEqual(['1'])
  expect(matchedIds([chosenFile('plan.dwg', 'other/plan.dwg')], ...waiting)).toEqual([])
})

test('matchFiles: a file that was queued twice matches both uploads', () => {
  expect(matchedIds([chosenFile('a.txt')], uploadOf('1', 'a.txt'), uploadOf('2', 'a.txt'))).toEqual(['1', '2'])
})

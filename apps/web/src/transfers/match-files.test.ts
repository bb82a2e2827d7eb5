import { expect, test } from 'vitest'
import { matchFiles } from './match-files.ts'

const at = 1_700_000_000_000

const wanted = (id: string, name: string, size = 4) => ({ id, name, size, lastModified: at, type: '' })

/** As pickers give files: with a path where a folder was chosen. */
const chosen = (name: string, path = '', { text = 'text', lastModified = at } = {}): File =>
  Object.assign(new File([text], name, { lastModified }), { webkitRelativePath: path })

const fits = (files: readonly File[], ...waiting: readonly ReturnType<typeof wanted>[]) =>
  [...matchFiles(files, waiting).keys()].toSorted()

test('files are given to the uploads that they fit by name, size and time', () => {
  const waiting = [wanted('1', 'a.txt'), wanted('2', 'b.txt'), wanted('3', 'c.txt')]

  expect(fits([chosen('a.txt'), chosen('c.txt'), chosen('d.txt')], ...waiting)).toEqual(['1', '3'])
  expect(fits([chosen('a.txt', '', { text: 'other' })], ...waiting)).toEqual([])
  expect(fits([chosen('a.txt', '', { lastModified: at + 1 })], ...waiting)).toEqual([])
})

test('a file that fits uploads of two folders is left out until its folder is chosen', () => {
  const waiting = [wanted('1', 'site/north/plan.dwg'), wanted('2', 'site/south/plan.dwg')]

  expect(fits([chosen('plan.dwg')], ...waiting)).toEqual([])
  expect(fits([chosen('plan.dwg', 'site/south/plan.dwg')], ...waiting)).toEqual(['2'])
  expect(fits([chosen('plan.dwg', 'north/plan.dwg')], ...waiting)).toEqual(['1'])
  expect(fits([chosen('plan.dwg', 'work/site/north/plan.dwg')], ...waiting)).toEqual(['1'])
  expect(fits([chosen('plan.dwg', 'other/plan.dwg')], ...waiting)).toEqual([])
})

test('a file that was queued twice goes on twice', () => {
  expect(fits([chosen('a.txt')], wanted('1', 'a.txt'), wanted('2', 'a.txt'))).toEqual(['1', '2'])
})

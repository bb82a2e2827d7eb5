import { expect, test } from 'vitest'
import { fileOf } from '../testing/portal-bytes.ts'
import { offeredFiles, placedFiles } from './placed-files.ts'
import { pathOf } from './zip-sink.ts'

const offer = (name: string, path?: string) => ({ f: 0, name, size: 1, mime: '', ...(path !== undefined && { path }) })

test('T209 whatever another device calls its folders, nothing leads out of the folder it is put into', () => {
  const placed = placedFiles([
    offer('a.txt', '../../etc'),
    offer('a.txt', '/etc/./..//passwd'),
    offer('../b.txt', 'C:\\Windows'),
    offer('c.txt', 'CON/\u202egpj'),
    offer('d.txt', ''),
  ])
  expect(placed.map(pathOf)).toEqual(['etc/a.txt', 'etc/passwd/a.txt', 'C__Windows/b.txt', '_CON/gpj/c.txt', 'd.txt'])
})

test('T209 no two files of an offer come to lie in one place', () => {
  const placed = placedFiles([offer('a.txt', 'x'), offer('A.TXT', 'X'), offer('x'), offer('a.txt')])
  expect(new Set(placed.map((file) => pathOf(file).toLowerCase())).size).toBe(4)
})

test('more files than fit into one message are refused in words', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({
    ...fileOf(new Uint8Array(0), `${index}.txt`),
    path: 'a/b',
  }))
  expect(() => offeredFiles(many)).toThrow('there are too many files for one transfer, send them in parts')
  expect(offeredFiles(many.slice(0, 1000))).toHaveLength(1000)
})

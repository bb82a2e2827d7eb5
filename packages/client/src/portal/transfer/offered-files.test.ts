import { expect, test } from 'vitest'
import { fileOf } from '../../testing/portal-bytes.ts'
import { sanitizeOfferedFiles, toOfferedFiles } from './offered-files.ts'
import { pathOf } from './zip-sink.ts'

const offer = (name: string, path?: string) => ({ f: 0, name, size: 1, mime: '', ...(path !== undefined && { path }) })

test('T209 no folder name of an offer leads out of the destination folder', () => {
  const sanitized = sanitizeOfferedFiles([
    offer('a.txt', '../../etc'),
    offer('a.txt', '/etc/./..//passwd'),
    offer('../b.txt', 'C:\\Windows'),
    offer('c.txt', 'CON/\u202egpj'),
    offer('d.txt', ''),
  ])
  expect(sanitized.map(pathOf)).toEqual([
    'etc/a.txt',
    'etc/passwd/a.txt',
    'C__Windows/b.txt',
    '_CON/gpj/c.txt',
    'd.txt',
  ])
})

test('T209 no two files of an offer get the same path', () => {
  const sanitized = sanitizeOfferedFiles([offer('a.txt', 'x'), offer('A.TXT', 'X'), offer('x'), offer('a.txt')])
  expect(new Set(sanitized.map((file) => pathOf(file).toLowerCase())).size).toBe(4)
})

test('an offer that exceeds one message is rejected with a message for the user', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({
    ...fileOf(new Uint8Array(0), `${index}.txt`),
    path: 'a/b',
  }))
  expect(() => toOfferedFiles(many)).toThrow('TOO_MANY_FILES')
  expect(toOfferedFiles(many.slice(0, 1000))).toHaveLength(1000)
})

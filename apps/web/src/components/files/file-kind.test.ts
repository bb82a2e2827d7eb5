import { expect, test } from 'vitest'
import { fileKind } from './file-kind.ts'

test('fileKind: the extension determines the kind, regardless of case', () => {
  expect(fileKind('quarterly-report.pdf')).toBe('document')
  expect(fileKind('IMG_2044.HEIC')).toBe('image')
  expect(fileKind('backup.tar.gz')).toBe('archive')
  expect(fileKind('walkthrough.mp4')).toBe('video')
})

test('fileKind: an unknown extension is a plain file', () => {
  expect(fileKind('README')).toBe('other')
  expect(fileKind('strange.qqq')).toBe('other')
  expect(fileKind('')).toBe('other')
  expect(fileKind('constructor')).toBe('other')
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as entry from './envelope.ts'
import { createFileKey, deriveFileKeys } from './file-keys.ts'
import { createFileHeader } from './header.ts'
import { createKey } from './secret.ts'
import { wrapFileKey } from './wrap-file-key.ts'

/** Every file of this package that a file imports, directly or indirectly. */
function importsOf(name: string, visited = new Set<string>()): Set<string> {
  if (visited.has(name)) return visited
  visited.add(name)
  const source = readFileSync(new URL(name, import.meta.url), 'utf8')
  for (const [, imported = ''] of source.matchAll(/from '(\.\/[^']+)'/g)) importsOf(imported, visited)
  return visited
}

test('the envelope parser imports nothing that derives, seals or opens', () => {
  const visited = importsOf('./envelope.ts')

  expect([...visited].sort()).toEqual([
    './base64url.ts',
    './bytes.ts',
    './envelope.ts',
    './errors.ts',
    './header.ts',
    './message-parts.ts',
    './random.ts',
    './sealed-name.ts',
    './sizes.ts',
  ])
  for (const name of visited) {
    expect(readFileSync(new URL(name, import.meta.url), 'utf8')).not.toMatch(/subtle|CryptoKey\b/)
  }
})

test('the sizes of a stored file follow from its envelope alone', async () => {
  const header = createFileHeader({ kind: 'personal', plainBytes: 1_000_000 })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const envelope = entry.parseEnvelope(await wrapFileKey({ fileKey, keys, root: createKey(), wrapType: 'account' }))

  expect(entry.sealedBytes(envelope.header)).toBe(1_000_000 + 2 * 28)
  expect(entry.recordStart(envelope.header, 1)).toBe(524_288 + 28)
  expect(entry.sealedRecordBytes(envelope.header, 1)).toBe(1_000_000 - 524_288 + 28)
})

test.each([
  ['nothing', '', 'malformed'],
  ['a text', 'not an envelope', 'malformed'],
  ['200 other characters', 'A'.repeat(200), 'unsupported-version'],
  ['200 spaces', ' '.repeat(200), 'malformed'],
])('T021 %s is not an envelope', (_what, text, code) => {
  expect(() => entry.parseEnvelope(text)).toThrow(expect.objectContaining({ name: 'CryptoError', code }))
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as door from './envelope.ts'
import { createFileKey, deriveFileKeys } from './file-keys.ts'
import { createFileHeader } from './header.ts'
import { createKey } from './secret.ts'
import { wrapFileKey } from './wrap.ts'

/** Every file of this package that a file reaches by imports. */
function reachedFrom(name: string, reached = new Set<string>()): Set<string> {
  if (reached.has(name)) return reached
  reached.add(name)
  const source = readFileSync(new URL(name, import.meta.url), 'utf8')
  for (const [, imported = ''] of source.matchAll(/from '(\.\/[^']+)'/g)) reachedFrom(imported, reached)
  return reached
}

test('whoever parses envelopes reaches nothing that derives, seals or opens', () => {
  const reached = reachedFrom('./envelope.ts')

  expect([...reached].sort()).toEqual([
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
  for (const name of reached) {
    expect(readFileSync(new URL(name, import.meta.url), 'utf8')).not.toMatch(/subtle|CryptoKey\b/)
  }
})

test('the arithmetic of a stored file follows from its envelope alone', async () => {
  const header = createFileHeader({ kind: 'personal', plainBytes: 1_000_000 })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const envelope = door.parseEnvelope(await wrapFileKey({ fileKey, keys, root: createKey(), wrapType: 'account' }))

  expect(door.sealedBytes(envelope.header)).toBe(1_000_000 + 2 * 28)
  expect(door.recordStart(envelope.header, 1)).toBe(524_288 + 28)
  expect(door.sealedRecordBytes(envelope.header, 1)).toBe(1_000_000 - 524_288 + 28)
})

test.each([
  ['nothing', '', 'malformed'],
  ['a text', 'not an envelope', 'malformed'],
  ['200 characters that are none', 'A'.repeat(200), 'unsupported-version'],
  ['200 blanks', ' '.repeat(200), 'malformed'],
])('T021 %s is no envelope', (_what, text, code) => {
  expect(() => door.parseEnvelope(text)).toThrow(expect.objectContaining({ name: 'CryptoError', code }))
})

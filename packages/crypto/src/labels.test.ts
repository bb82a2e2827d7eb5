import { expect, test } from 'vitest'
import { deriveBytes, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey } from './secret.ts'

test('T033 no two derivations share a label', () => {
  const texts = Object.values(labels)

  expect(new Set(texts).size).toBe(texts.length)
})

test('T033 one secret with one salt derives a different key for every label', async () => {
  const from = await importRootKey(createKey())
  const salt = crypto.getRandomValues(new Uint8Array(16))

  const keys = await Promise.all(
    Object.values(labels).map((label) => deriveBytes({ from, salt, info: new TextEncoder().encode(label) })),
  )

  expect(new Set(keys.map((key) => key.toHex())).size).toBe(keys.length)
})

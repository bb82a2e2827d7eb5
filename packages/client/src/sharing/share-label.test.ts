import { expect, test } from 'vitest'
import { accountKey, patternBytes, sealedFile } from '../testing/files.ts'
import { openLabel, sealLabel } from './share-label.ts'

test('the owner can open a label, and labels of different lengths look alike to the server', async () => {
  const { keys } = await sealedFile(patternBytes(10))

  const short = await sealLabel('Mara', { accountKey, keys })
  const long = await sealLabel('Für die Leute vom Bauamt, zweite Fassung', { accountKey, keys })

  expect(await openLabel(short, { accountKey, keys })).toBe('Mara')
  expect(await openLabel(long, { accountKey, keys })).toBe('Für die Leute vom Bauamt, zweite Fassung')
  expect(short.length).toBe(long.length)
  expect(short).toMatch(/^[A-Za-z0-9_-]{155}\.[A-Za-z0-9_-]{123}$/)
})

test('a label of maximum length fits the server’s limit', async () => {
  const { keys } = await sealedFile(patternBytes(10))

  const [, content = ''] = (await sealLabel('\u{1f512}'.repeat(80), { accountKey, keys })).split('.')

  expect(content.length).toBeLessThanOrEqual(1023)
})

test('a label opens neither for another file nor with another key', async () => {
  const [one, other] = [await sealedFile(patternBytes(10)), await sealedFile(patternBytes(10))]
  const label = await sealLabel('Mara', { accountKey, keys: one.keys })

  await expect(openLabel(label, { accountKey, keys: other.keys })).rejects.toThrow('another kind, version or context')
  await expect(openLabel(label, { accountKey: new Uint8Array(32).fill(9), keys: one.keys })).rejects.toThrow()
})

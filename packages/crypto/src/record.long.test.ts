import { expect, test } from 'vitest'
import { randomBytes } from './random.ts'
import { sealRecord } from './record.ts'
import { createSealedFile } from './testing/sealed-file.ts'

test('T025 1,000,000 IVs are all different, and so are those of 1,000 records', async () => {
  const { keys, plain } = await createSealedFile(16)
  const seen = new Set<string>()

  for (let draw = 0; draw < 1_000_000; draw += 1) seen.add(String.fromCharCode(...randomBytes(12)))
  for (let draw = 0; draw < 1000; draw += 1) {
    seen.add(String.fromCharCode(...(await sealRecord(keys, 0, plain)).subarray(0, 12)))
  }

  expect(seen.size).toBe(1_001_000)
})

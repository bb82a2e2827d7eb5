import { expect, test } from 'vitest'
import { instanceIdOf } from './instance-id.ts'

test('an instance has an id of 22 characters that follows from its salt secret', () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

  expect(instanceIdOf(first)).toMatch(/^[\w-]{22}$/)
  expect(instanceIdOf(Buffer.alloc(32, 1))).toBe(instanceIdOf(first))
  expect(instanceIdOf(second)).not.toBe(instanceIdOf(first))
})

import { expect, test } from 'vitest'
import { createLocalAttempts } from './attempts.ts'

const limit = { points: 2, windowSeconds: 60 }

test('a refused attempt does not count, and a window starts with its first attempt', async () => {
  let time = 0
  const attempts = createLocalAttempts(() => time)
  await attempts.allow('key', limit)
  time = 59_000
  await attempts.allow('key', limit)

  const refused = await attempts.allow('key', limit)
  time = 60_000
  const later = await attempts.allow('key', limit)

  expect(refused).toEqual({ allowed: false, retryAfterSeconds: 1 })
  expect(later).toEqual({ allowed: true, retryAfterSeconds: 0 })
})

test('what was forgiven may be tried again, but forgiving gives no credit', async () => {
  const attempts = createLocalAttempts(() => 0)
  await attempts.forgive('key')
  await attempts.allow('key', limit)
  await attempts.allow('key', limit)
  await attempts.forgive('key')

  const third = await attempts.allow('key', limit)
  const fourth = await attempts.allow('key', limit)

  expect(third.allowed).toBe(true)
  expect(fourth.allowed).toBe(false)
})

test('keys do not share their attempts', async () => {
  const attempts = createLocalAttempts(() => 0)
  await attempts.allow('one', limit)
  await attempts.allow('one', limit)

  const other = await attempts.allow('other', limit)

  expect(other.allowed).toBe(true)
})

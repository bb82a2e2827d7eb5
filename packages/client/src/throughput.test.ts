import { expect, test } from 'vitest'
import { createThroughput, secondsLeft } from './throughput.ts'

test('a steady flow shows its own speed', () => {
  const throughput = createThroughput(0)

  for (let second = 1; second <= 10; second += 1) throughput.observe(second * 1_000_000, second * 1000)

  expect(throughput.bytesPerSecond).toBeCloseTo(1_000_000)
})

test('a pause lets the speed sink instead of vanishing', () => {
  const throughput = createThroughput(0)
  throughput.observe(1_000_000, 1000)

  throughput.observe(1_000_000, 1500)

  expect(throughput.bytesPerSecond).toBeGreaterThan(500_000)
  expect(throughput.bytesPerSecond).toBeLessThan(1_000_000)
})

test('bytes that are taken back make no negative speed', () => {
  const throughput = createThroughput(0)
  throughput.observe(1_000_000, 1000)

  throughput.observe(200_000, 60_000)

  expect(throughput.bytesPerSecond).toBeGreaterThanOrEqual(0)
})

test('two looks within a moment do not make the speed jump', () => {
  const throughput = createThroughput(0)
  throughput.observe(1_000_000, 1000)

  throughput.observe(2_000_000, 1001)

  expect(throughput.bytesPerSecond).toBeCloseTo(1_000_000)
})

test('the time that is left is unknown while nothing moves', () => {
  expect(secondsLeft(1000, 0)).toBeNull()
  expect(secondsLeft(1000, 500)).toBe(2)
  expect(secondsLeft(0, 0)).toBe(0)
})

import { expect, test } from 'vitest'
import { createThroughput, remainingSeconds } from './throughput.ts'

test('a steady flow reports its own speed', () => {
  const throughput = createThroughput(0)

  for (let second = 1; second <= 10; second += 1) throughput.observe(second * 1_000_000, second * 1000)

  expect(throughput.bytesPerSecond).toBeCloseTo(1_000_000)
})

test('a pause lowers the speed gradually', () => {
  const throughput = createThroughput(0)
  throughput.observe(1_000_000, 1000)

  throughput.observe(1_000_000, 1500)

  expect(throughput.bytesPerSecond).toBeGreaterThan(500_000)
  expect(throughput.bytesPerSecond).toBeLessThan(1_000_000)
})

test('bytes that are rolled back do not make the speed negative', () => {
  const throughput = createThroughput(0)
  throughput.observe(1_000_000, 1000)

  throughput.observe(200_000, 60_000)

  expect(throughput.bytesPerSecond).toBeGreaterThanOrEqual(0)
})

test('two observations within 100 ms do not make the speed jump', () => {
  const throughput = createThroughput(0)
  throughput.observe(1_000_000, 1000)

  throughput.observe(2_000_000, 1001)

  expect(throughput.bytesPerSecond).toBeCloseTo(1_000_000)
})

test('the remaining time is unknown while nothing moves', () => {
  expect(remainingSeconds(1000, 0)).toBeNull()
  expect(remainingSeconds(1000, 500)).toBe(2)
  expect(remainingSeconds(0, 0)).toBe(0)
})

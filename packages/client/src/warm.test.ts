import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { createManualClock } from './testing/manual-clock.ts'
import { keepConnectionsWarm } from './warm.ts'

test('FIL-06 two connections are warmed at once and again every 30 seconds, whatever becomes of them, until the end', async () => {
  const clock = createManualClock()
  const ending = new AbortController()
  const asked: string[] = []
  const call = (async ({ method, path }: { method: string; path: string }) => {
    asked.push(`${method} ${path}`)
    throw new Error('away')
  }) as unknown as Call

  const warming = keepConnectionsWarm({ call, clock, signal: ending.signal })
  await clock.advance(29_999)
  const early = asked.length
  await clock.advance(1)
  const later = asked.length
  ending.abort()
  await warming
  await clock.advance(120_000)

  expect([early, later, asked.length]).toEqual([2, 4, 4])
  expect(new Set(asked)).toEqual(new Set(['HEAD /api/upload']))
})

import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { createManualClock } from './testing/manual-clock.ts'
import { keepConnectionsWarm } from './warm.ts'

test('FIL-06 two connections are warmed up at once and every 30 seconds, even after errors, until aborted', async () => {
  const clock = createManualClock()
  const controller = new AbortController()
  const requests: string[] = []
  const call = (async ({ method, path }: { method: string; path: string }) => {
    requests.push(`${method} ${path}`)
    throw new Error('away')
  }) as unknown as Call

  const running = keepConnectionsWarm({ call, clock, signal: controller.signal })
  await clock.advance(29_999)
  const early = requests.length
  await clock.advance(1)
  const later = requests.length
  controller.abort()
  await running
  await clock.advance(120_000)

  expect([early, later, requests.length]).toEqual([2, 4, 4])
  expect(new Set(requests)).toEqual(new Set(['HEAD /api/upload']))
})

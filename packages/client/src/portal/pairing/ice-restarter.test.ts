import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createIceRestarter } from './ice-restarter.ts'

function createRestarter({ mayRestart = true } = {}) {
  const clock = createManualClock()
  const calls: string[] = []
  const restart = mayRestart ? () => void calls.push('restart') : null
  return { clock, calls, ...createIceRestarter({ clock, restart, giveUp: () => void calls.push('give up') }) }
}

test('POR-04 an interrupted connection gets an ICE restart and stays open if it reconnects within 5 s', async () => {
  const { clock, calls, onStateChange } = createRestarter()
  for (const state of ['connecting', 'connected', 'disconnected', 'connecting'] as const) onStateChange(state)
  await clock.advance(4999)
  onStateChange('connected')
  await clock.advance(60_000)

  expect(calls).toEqual(['restart'])
})

test('POR-04 a connection that does not reconnect within 5 s of an ICE restart is given up once', async () => {
  const { clock, calls, onStateChange } = createRestarter()
  for (const state of ['connected', 'disconnected', 'connecting'] as const) onStateChange(state)
  await clock.advance(4999)
  expect(calls).toEqual(['restart'])
  await clock.advance(1)

  expect(calls).toEqual(['restart', 'give up'])
})

test.each(['failed', 'closed'] as const)('a connection that is %s is given up at once', async (finalState) => {
  const { clock, calls, onStateChange } = createRestarter()
  for (const state of ['connected', 'disconnected', finalState] as const) onStateChange(state)
  expect(calls).toEqual(['restart', 'give up'])
  await clock.advance(60_000)

  expect(calls).toEqual(['restart', 'give up'])
})

test('each interruption gets its own ICE restart and its own 5 s', async () => {
  const { clock, calls, onStateChange } = createRestarter()
  for (let count = 0; count < 3; count += 1) {
    onStateChange('disconnected')
    await clock.advance(4000)
    onStateChange('connected')
  }

  expect(calls).toEqual(['restart', 'restart', 'restart'])
})

test('POR-04 the ICE restart is repeated when signalling is back, but only while the connection is interrupted', async () => {
  const { clock, calls, onStateChange, retry } = createRestarter()
  onStateChange('connected')
  retry()
  expect(calls).toEqual([])
  onStateChange('disconnected')
  await clock.advance(2000)
  retry()
  expect(calls).toEqual(['restart', 'restart'])
  await clock.advance(3000)

  expect(calls).toEqual(['restart', 'restart', 'give up'])
  retry()
})

test('the answering device also waits 5 s', async () => {
  const { clock, calls, onStateChange } = createRestarter({ mayRestart: false })
  onStateChange('connected')
  onStateChange('disconnected')
  await clock.advance(4999)
  expect(calls).toEqual([])
  await clock.advance(1)

  expect(calls).toEqual(['give up'])
})

import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createStanding } from './standing.ts'

function aStanding({ mayRestart = true } = {}) {
  const clock = createManualClock()
  const told: string[] = []
  const restart = mayRestart ? () => void told.push('restart') : null
  return { clock, told, ...createStanding({ clock, restart, giveUp: () => void told.push('give up') }) }
}

test('POR-04 a connection that is interrupted is restarted, and goes on where that finds a way within five seconds', async () => {
  const { clock, told, hear } = aStanding()
  for (const word of ['connecting', 'connected', 'disconnected', 'connecting'] as const) hear(word)
  await clock.advance(4999)
  hear('connected')
  await clock.advance(60_000)

  expect(told).toEqual(['restart'])
})

test('POR-04 a connection whose restart finds no way within five seconds is given up, once', async () => {
  const { clock, told, hear } = aStanding()
  for (const word of ['connected', 'disconnected', 'connecting'] as const) hear(word)
  await clock.advance(4999)
  expect(told).toEqual(['restart'])
  await clock.advance(1)

  expect(told).toEqual(['restart', 'give up'])
})

test.each(['failed', 'closed'] as const)('a connection that is %s is given up at once', async (word) => {
  const { clock, told, hear } = aStanding()
  for (const one of ['connected', 'disconnected', word] as const) hear(one)
  expect(told).toEqual(['restart', 'give up'])
  await clock.advance(60_000)

  expect(told).toEqual(['restart', 'give up'])
})

test('each interruption is restarted, and has five seconds of its own', async () => {
  const { clock, told, hear } = aStanding()
  for (let count = 0; count < 3; count += 1) {
    hear('disconnected')
    await clock.advance(4000)
    hear('connected')
  }

  expect(told).toEqual(['restart', 'restart', 'restart'])
})

test('POR-04 while it is interrupted it is restarted once more when the server is back, and not while it stands', async () => {
  const { clock, told, hear, tryAgain } = aStanding()
  hear('connected')
  tryAgain()
  expect(told).toEqual([])
  hear('disconnected')
  await clock.advance(2000)
  tryAgain()
  expect(told).toEqual(['restart', 'restart'])
  await clock.advance(3000)

  expect(told).toEqual(['restart', 'restart', 'give up'])
  tryAgain()
})

test('the device that only answers waits as long for the other one', async () => {
  const { clock, told, hear } = aStanding({ mayRestart: false })
  hear('connected')
  hear('disconnected')
  await clock.advance(4999)
  expect(told).toEqual([])
  await clock.advance(1)

  expect(told).toEqual(['give up'])
})

import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { openClock } from './clock.ts'
import { createClockReadingsStore } from './clock-readings.store.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 10, 1)

/** A machine whose clock and uptime a test moves. */
function createMachine({ db }: Stage, bootId = 'first') {
  const state = { time: start, uptimeMs: 5 * day, bootId }
  return {
    state,
    pass(ms: number) {
      state.time += ms
      state.uptimeMs += ms
    },
    set(aheadMs: number) {
      state.time += aheadMs
    },
    restart(offMs: number) {
      state.time += offMs
      state.uptimeMs = 0
      state.bootId += '+'
    },
    open: () =>
      openClock({
        read: () => state.time,
        uptime: { bootId: state.bootId, ms: () => state.uptimeMs },
        store: createClockReadingsStore(db),
      }),
  }
}

onBothDatabases('T152 a clock that is set ahead is wrong until it is set back, also across a start', async (stage) => {
  const machine = createMachine(stage)
  const clock = await machine.open()
  await clock.check()
  machine.pass(59 * minute)
  machine.set(59 * minute)
  expect(await clock.check()).toBeNull()
  machine.pass(day)
  expect(await clock.check()).toBeNull()

  machine.set(30 * day)
  const right = machine.state.time - 30 * day
  expect(clock.jump()).toEqual({ expected: right, actual: right + 30 * day })
  expect(clock.now()).toBe(right + 30 * day)
  await clock.check()
  machine.pass(3 * hour)
  const restarted = await machine.open()
  expect(await restarted.check()).toEqual({ expected: right + 3 * hour, actual: right + 30 * day + 3 * hour })

  machine.set(-30 * day)
  expect(restarted.jump()).toBeNull()
  expect(restarted.now()).toBe(right + 3 * hour)
  expect(clock.jump()).toBeNull()
})

onBothDatabases('T152 a clock that is set back is wrong, and time continues from where it was', async (stage) => {
  const machine = createMachine(stage)
  const clock = await machine.open()
  await clock.check()
  machine.set(-30 * day)
  machine.pass(hour)
  expect(clock.now()).toBe(start + hour)
  expect(await clock.check()).toEqual({ expected: start + hour, actual: start - 30 * day + hour })

  const restarted = await machine.open()
  machine.pass(hour)
  expect(restarted.now()).toBe(start + 2 * hour)
  expect(restarted.jump()).not.toBeNull()

  machine.set(30 * day)
  expect(restarted.jump()).toBeNull()
  expect(restarted.now()).toBe(start + 2 * hour)
})

onBothDatabases('a machine that was off for a day is right, and for longer it has to be confirmed', async (stage) => {
  const machine = createMachine(stage)
  await (await machine.open()).check()
  machine.restart(23 * hour)
  expect(await (await machine.open()).check()).toBeNull()
  machine.restart(25 * hour)
  const clock = await machine.open()
  expect(await clock.check()).not.toBeNull()
  expect(clock.now()).toBe(machine.state.time)

  await clock.confirm()
  expect(await clock.check()).toBeNull()
  expect(await (await machine.open()).check()).toBeNull()
})

onBothDatabases('a machine without a battery starts with an old time, which the network sets', async (stage) => {
  const machine = createMachine(stage)
  await (await machine.open()).check()
  machine.restart(-2 * 365 * day)
  const clock = await machine.open()
  machine.pass(minute)
  expect(await clock.check()).not.toBeNull()
  expect(clock.now()).toBe(start + minute)

  machine.set(2 * 365 * day + 3 * hour)
  expect(await clock.check()).toBeNull()
  expect(clock.now()).toBe(start + minute + 3 * hour)
  machine.pass(hour)
  await clock.check()
  machine.set(20 * hour)
  expect(clock.jump()).not.toBeNull()
})

onBothDatabases(
  'a server that restarts before the network has set the clock still allows for the downtime',
  async (stage) => {
    const machine = createMachine(stage)
    await (await machine.open()).check()
    machine.restart(0)
    machine.pass(minute)
    expect(await (await machine.open()).check()).toBeNull()
    machine.set(10 * hour)
    expect(await (await machine.open()).check()).toBeNull()
  },
)

onBothDatabases('a check that began before the confirmation does not undo it', async (stage) => {
  const store = createClockReadingsStore(stage.db)
  const reading = { bootId: 'one', time: start, uptimeMs: 1 }
  await store.save({ ...reading, confirmations: 1 }, 0)
  await store.save({ ...reading, confirmations: 0 }, 0)
  expect(await store.countConfirmations()).toBe(1)
})

onBothDatabases('what an admin confirms on one node is right on all of them, and after their starts', async (stage) => {
  const one = createMachine(stage, 'one')
  const other = createMachine(stage, 'other')
  const [clock, otherClock] = [await one.open(), await other.open()]
  for (const each of [clock, otherClock]) await each.check()
  for (const machine of [one, other]) machine.set(30 * day)
  for (const each of [clock, otherClock]) expect(await each.check()).not.toBeNull()

  await clock.confirm()
  expect(clock.jump()).toBeNull()
  expect((await other.open()).jump()).toBeNull()
  expect(otherClock.jump()).not.toBeNull()
  expect(await otherClock.check()).toBeNull()

  for (const machine of [one, other]) machine.set(-30 * day)
  expect(await otherClock.check()).not.toBeNull()
  await otherClock.confirm()
  expect(await clock.check()).toBeNull()
  expect(clock.now()).toBe(start)
})

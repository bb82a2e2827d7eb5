import { expect, test } from 'vitest'
import { checkListedTimes } from './check-listed-times.ts'
import { createServerClock } from './server-clock.ts'

const minute = 60_000
const hour = 60 * minute
const serverStart = Date.UTC(2026, 10, 27, 12)
const firstAnswer = 10_000

interface StartOptions {
  /** How far the device's clock is ahead of the server's. */
  readonly aheadMs?: number
  readonly roundTripMs?: number
}

/** A page with a clock whose server answers on demand; time passes only by `pass` and `sleep`. */
function startPage({ aheadMs = 0, roundTripMs = 100 }: StartOptions = {}) {
  let passed = 0
  let slept = 0
  let ahead = aheadMs
  const asked: number[] = []
  const serverNow = () => serverStart + passed + slept
  const clock = createServerClock({
    deviceNow: () => serverNow() + ahead,
    elapsed: () => passed,
    ask: () => asked.push(serverNow()),
  })
  const dateOf = (time: number) => new Date(time).toUTCString()
  return {
    clock,
    serverNow,
    asked,
    pass: (milliseconds: number) => {
      passed += milliseconds
    },
    sleep: (milliseconds: number) => {
      slept += milliseconds
    },
    setDevice: (milliseconds: number) => {
      ahead += milliseconds
    },
    answer(headers: (date: string) => Record<string, string> = (date) => ({ Date: date })) {
      const sentAt = passed
      passed += roundTripMs / 2
      const sent = new Headers(headers(dateOf(serverNow())))
      passed += roundTripMs / 2
      clock.observe(sent, sentAt)
    },
    list: (files: Parameters<typeof checkListedTimes>[1]) => checkListedTimes(clock, files, serverNow() + ahead),
    error: () => Math.abs(clock.now() - serverNow()),
  }
}

for (const aheadMs of [6 * minute, -6 * minute, 3 * hour, -3 * hour, 400 * 24 * hour]) {
  test(`a device ${aheadMs / minute} min ahead shows the server’s time from the first answer on`, () => {
    const page = startPage({ aheadMs })
    page.pass(firstAnswer + 321)
    const before = page.error()

    page.answer()

    expect(before).toBe(Math.abs(aheadMs))
    expect(page.error()).toBeLessThanOrEqual(1100)
    page.pass(hour)
    expect(page.error()).toBeLessThanOrEqual(1100)
  })
}

test('a right device keeps its milliseconds', () => {
  const page = startPage()
  page.pass(777)
  page.answer()
  page.answer()

  expect(page.error()).toBe(0)
})

test('several answers narrow the whole seconds of the Date header', () => {
  const page = startPage({ aheadMs: hour, roundTripMs: 20 })
  for (let step = 0; step < 50; step += 1) {
    page.pass(1037)
    page.answer()
  }

  expect(page.error()).toBeLessThanOrEqual(50)
})

test('an answer after a minute does not blur a time that is known', () => {
  const page = startPage({ aheadMs: hour })
  page.answer()

  page.clock.observe(new Headers({ Date: new Date(page.serverNow()).toUTCString() }), -minute)

  expect(page.error()).toBeLessThanOrEqual(1100)
})

test('a clock that is set while the page is open changes nothing, and one question confirms it', () => {
  const page = startPage()
  page.pass(500)
  page.answer()

  for (const jump of [6 * minute, -12 * minute, 3 * hour]) {
    page.setDevice(jump)
    expect(page.error()).toBeLessThanOrEqual(1000)
    const asked = page.asked.length
    page.pass(20_000)
    page.clock.now()
    page.answer()
    page.clock.now()
    expect(page.asked.length - asked).toBeLessThanOrEqual(1)
    expect(page.error()).toBeLessThanOrEqual(1000)
  }
  expect(page.asked.length).toBeGreaterThan(0)
})

test('after a sleep in which the monotonic clock stood still, the server is asked and its answer counts', () => {
  const page = startPage({ aheadMs: 6 * minute })
  page.answer()
  page.pass(minute)
  page.sleep(8 * hour)

  expect(page.error()).toBeGreaterThan(7 * hour)
  expect(page.asked).toHaveLength(1)
  page.pass(1000)
  page.clock.now()
  expect(page.asked).toHaveLength(1)
  page.answer()
  expect(page.error()).toBeLessThanOrEqual(1100)
})

test('a server that does not answer after a sleep is asked again every 10 s', () => {
  const page = startPage()
  page.answer()
  page.sleep(hour)
  for (let second = 0; second < 60; second += 1) {
    page.pass(1000)
    page.clock.now()
  }

  expect(page.asked).toHaveLength(6)
})

test('answers without a date, with a false one, or from a cache change nothing', () => {
  const page = startPage({ aheadMs: hour })
  page.answer(() => ({}))
  page.answer(() => ({ Date: 'yesterday' }))
  page.answer(() => ({ Date: '' }))
  page.answer((date) => ({ Date: date, Age: '30' }))
  expect([page.clock.isKnown(), page.error()]).toEqual([false, hour])

  page.answer((date) => ({ Date: date, Age: '0' }))
  expect(page.clock.isKnown()).toBe(true)
  page.answer(() => ({ Date: 'Thu, 01 Jan 1970 00:00:00 GMT', Age: '5' }))
  page.answer(() => ({}))
  expect(page.error()).toBeLessThanOrEqual(1100)
})

test('one answer with an earlier time is ignored, and a minute of them is believed', () => {
  const page = startPage()
  page.answer()
  const answerLate = () => page.answer((date) => ({ Date: new Date(Date.parse(date) - hour).toUTCString() }))

  answerLate()
  page.pass(59_000)
  page.answer()
  answerLate()
  expect(page.error()).toBe(0)

  page.pass(61_000)
  answerLate()
  expect(page.error()).toBeGreaterThan(hour - 2000)
})

test('one answer with a later time is outlived within a minute', () => {
  const page = startPage()
  page.answer((date) => ({ Date: new Date(Date.parse(date) + hour).toUTCString() }))
  expect(page.error()).toBeGreaterThan(hour - 2000)

  for (let step = 0; step < 7; step += 1) {
    page.pass(10_000)
    page.answer()
  }
  expect(page.error()).toBeLessThanOrEqual(1100)
})

test('a false Date never makes a listed file expire, however it lies, and what was just sent is not from the future', () => {
  for (const lieMs of [24 * hour, -24 * hour]) {
    for (const aheadMs of [0, 5 * hour, -5 * hour]) {
      const page = startPage({ aheadMs })
      const file = { createdAt: serverStart, expiresAt: serverStart + 5 * minute }
      const answerFalsely = () => page.answer((date) => ({ Date: new Date(Date.parse(date) + lieMs).toUTCString() }))

      for (let step = 0; step < 3; step += 1) {
        page.pass(10_000)
        answerFalsely()
        page.list([file, { createdAt: serverStart - hour, expiresAt: null }])
        answerFalsely()
        expect(page.clock.now()).toBeLessThan(file.expiresAt)
        expect(page.clock.now()).toBeGreaterThanOrEqual(file.createdAt)
      }
      page.answer()
      expect(page.error()).toBeLessThanOrEqual(1100)
    }
  }
})

test('an empty list and a file that expires while its list is sent contradict nothing', () => {
  const page = startPage()
  page.answer()
  page.list([])
  page.pass(30_000)
  page.list([{ createdAt: serverStart - hour, expiresAt: page.serverNow() - 20_000 }])

  expect(page.error()).toBe(0)
})

test('lists and dates with impossible times change nothing', () => {
  const page = startPage()
  page.answer()

  for (const time of [-1, Number.MAX_SAFE_INTEGER - 1]) page.list([{ createdAt: time, expiresAt: time + 1 }])
  page.list([
    { createdAt: serverStart + 10 * hour, expiresAt: null },
    { createdAt: serverStart, expiresAt: serverStart + hour },
  ])
  page.answer(() => ({ Date: 'Mon, 01 Jan 1900 00:00:00 GMT' }))

  expect(page.error()).toBe(0)
})

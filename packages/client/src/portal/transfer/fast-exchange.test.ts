import { toBase64url } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { noopKeyWrap } from '../../testing/plain-keys.ts'
import { fileOf, randomOf, runUntilSettled } from '../../testing/portal-bytes.ts'
import { createLinkPair, memorySink, seeded } from '../../testing/portal-link.ts'
import type { FileOffer } from '../channel.ts'
import { createFastExchange } from './fast-exchange.ts'

/** One device and the files it received. */
function createDevice(clock: ReturnType<typeof createManualClock>, hasSpace = true) {
  const sinks: { offer: FileOffer; state: ReturnType<typeof memorySink>['state'] }[] = []
  const exchange = createFastExchange({
    clock,
    hasFreeSpaceFor: async () => hasSpace,
    createSink(offer) {
      const { state, sink } = memorySink()
      sinks.push({ offer, state })
      return sink
    },
  })
  return { exchange, sinks, state: exchange.state.current }
}

function createDevices(seed = 1, hasSpace = true) {
  const clock = createManualClock()
  const random = seeded(seed)
  const [here, there] = [createDevice(clock), createDevice(clock, hasSpace)]
  let sentBytes = 0
  const connect = () => {
    const [left, right] = createLinkPair({ clock, random })
    const bulk = { ...left.bulk }
    bulk.send = (data) => {
      sentBytes += data.length
      left.bulk.send(data)
    }
    const counted = { ...left, bulk }
    here.exchange.attach(counted, noopKeyWrap)
    there.exchange.attach(right, noopKeyWrap)
    return { left: counted, right }
  }
  return { clock, random, here, there, connect, sentBytes: () => sentBytes }
}

test('a transfer whose link is lost resumes over the next one from the stored blocks', async () => {
  const { clock, random, here, there, connect, sentBytes } = createDevices()
  const bytes = randomOf(6_000_000, random)
  const { left } = connect()
  const sending = here.exchange.send([fileOf(bytes, 'long.bin')])
  await runUntilSettled(clock, there.exchange.state.current().offer ? Promise.resolve() : offerArrived(there.exchange))
  there.exchange.answer(true)
  await runUntilSettled(
    clock,
    waitFor(there.exchange, ({ receiving }) => (receiving?.bytes ?? 0) >= 3_000_000),
  )

  left.close()
  await clock.advance(5000)
  connect()
  await runUntilSettled(clock, sending)

  expect(Buffer.compare(there.sinks[0]?.state.bytes ?? new Uint8Array(0), bytes)).toBe(0)
  expect(there.state().receiving?.phase).toBe('complete')
  expect(sentBytes()).toBeLessThan(6_000_000 * 1.01 + 4 * 1024 * 1024)
})

/** Receives files and takes 60 s to save each. */
function createSlowReceiver(clock: ReturnType<typeof createManualClock>) {
  const finished: Uint8Array[] = []
  const exchange = createFastExchange({
    clock,
    hasFreeSpaceFor: async () => true,
    createSink() {
      const { state, sink } = memorySink()
      const finish = async () => {
        await clock.wait(60_000)
        finished.push(state.bytes)
      }
      return { ...sink, finish }
    },
  })
  return { exchange, finished }
}

test('a receiver that takes 60 s to save a file does not time out while the next file arrives', async () => {
  const { clock, random, here } = createDevices()
  const { exchange: there, finished } = createSlowReceiver(clock)
  const [left, right] = createLinkPair({ clock, random })
  here.exchange.attach(left, noopKeyWrap)
  there.attach(right, noopKeyWrap)
  const files = [randomOf(3_000_000, random), randomOf(12_000_000, random)]
  const sending = here.exchange.send(files.map((bytes, number) => fileOf(bytes, `${number}.bin`)))
  await runUntilSettled(clock, offerArrived(there))
  there.answer(true)

  await runUntilSettled(clock, sending)

  expect(left.lost.aborted).toBe(false)
  expect(finished.map((bytes, number) => Buffer.compare(bytes, files[number] ?? bytes))).toEqual([0, 0])
})

test('a file that is saved while no link is open completes its transfer over the next link', async () => {
  const { clock, random, here } = createDevices()
  const { exchange: there, finished } = createSlowReceiver(clock)
  const connect = () => {
    const [left, right] = createLinkPair({ clock, random })
    here.exchange.attach(left, noopKeyWrap)
    there.attach(right, noopKeyWrap)
    return left
  }
  const left = connect()
  const sending = here.exchange.send([fileOf(randomOf(5, random))])
  await runUntilSettled(clock, offerArrived(there))
  there.answer(true)
  await runUntilSettled(clock, clock.wait(30_000))
  left.close()
  await runUntilSettled(clock, clock.wait(60_000))
  expect(finished).toHaveLength(1)

  connect()
  await runUntilSettled(clock, sending)

  expect(there.state.current().receiving?.phase).toBe('complete')
})

test('a transfer is cancelled while no link is open', async () => {
  const { clock, here, there, connect } = createDevices()
  const { left } = connect()
  const sending = here.exchange.send([fileOf(new Uint8Array(5))])
  await runUntilSettled(clock, offerArrived(there.exchange))
  left.close()
  await clock.advance(100)

  here.exchange.cancel('sending')

  await expect(runUntilSettled(clock, sending)).rejects.toThrow('CANCELLED')
  expect(here.state().sending?.phase).toBe('failed')
})

test('T208 POR-05 of 20 offers at once 1 is shown and 19 get busy; after 30 s without an answer the 1 is rejected', async () => {
  const { clock, there, connect } = createDevices()
  const { left } = connect()
  const answers: unknown[] = []
  left.control.onMessage((data) => answers.push(JSON.parse(String(data))))
  const tids = Array.from({ length: 20 }, (_, number) => toBase64url(new Uint8Array(16).fill(number + 1)))
  const files = [{ f: 0, name: 'x', size: 5, mime: '' }]
  for (const tid of tids) {
    left.control.send(JSON.stringify({ type: 'px-offer', tid, files, chunk: 65_536, block: 1_048_576 }))
  }

  await clock.advance(100)
  expect(there.state().offer?.files).toMatchObject([{ name: 'x', size: 5 }])
  expect(answers).toEqual(tids.slice(1).map((tid) => ({ type: 'px-reject', tid, reason: 'busy' })))
  await clock.advance(30_000)

  expect(there.state().offer).toBe(null)
  expect(answers.at(-1)).toEqual({ type: 'px-reject', tid: tids[0], reason: 'user' })
  expect(there.sinks).toEqual([])
})

test('T209 names of offered files are sanitized and made unique before they are shown', async () => {
  const { clock, there, connect } = createDevices()
  const { left } = connect()
  const names = ['../../etc/passwd', 'a\u202egnp.exe', 'con.txt', 'same', 'SAME', 'x'.repeat(900)]
  const files = names.map((name, f) => ({ f, name, size: 0, mime: '' }))
  const tid = toBase64url(new Uint8Array(16).fill(1))
  left.control.send(JSON.stringify({ type: 'px-offer', tid, files, chunk: 65_536, block: 1_048_576 }))
  await clock.advance(100)

  const shown = there.state().offer?.files.map(({ name }) => name) ?? []
  expect(shown.slice(0, 4)).toEqual(['passwd', 'agnp.exe', '_con.txt', 'same'])
  expect(new Set(shown.map((name) => name.toLowerCase())).size).toBe(6)
  expect(shown.every((name) => !/[/\\\u202e]/.test(name) && name.length <= 200)).toBe(true)
})

test('T208 offers with too many files, invalid sizes or no files are ignored', async () => {
  const { clock, there, connect } = createDevices()
  const { left } = connect()
  const tid = toBase64url(new Uint8Array(16).fill(1))
  const fileOfSize = (size: unknown) => [{ f: 0, name: 'x', size, mime: '' }]
  const many = Array.from({ length: 10_001 }, (_, f) => ({ f, name: 'x', size: 0, mime: '' }))
  for (const files of [fileOfSize(2 ** 53), fileOfSize(-1), fileOfSize(Number.NaN), fileOfSize('5'), [], many]) {
    left.control.send(JSON.stringify({ type: 'px-offer', tid, files, chunk: 65_536, block: 1_048_576 }))
  }
  await clock.advance(100)

  expect(there.state().offer).toBe(null)
})

test('POR-05 files without enough disk space are rejected before the user is asked, and both devices show the reason', async () => {
  const { clock, here, there, connect } = createDevices(1, false)
  connect()

  await expect(runUntilSettled(clock, here.exchange.send([fileOf(new Uint8Array(5))]))).rejects.toThrow('NO_SPACE')

  expect(there.state().offer).toBe(null)
  expect(there.state().receiving?.reason?.code).toBe('NO_SPACE_HERE')
  expect(there.sinks).toEqual([])
})

function waitFor(
  exchange: ReturnType<typeof createDevice>['exchange'],
  matches: (state: ReturnType<typeof exchange.state.current>) => boolean,
) {
  return new Promise<void>((resolve) => {
    const stop = exchange.state.subscribe(() => {
      if (!matches(exchange.state.current())) return
      stop()
      resolve()
    })
  })
}

const offerArrived = (exchange: ReturnType<typeof createDevice>['exchange']) =>
  waitFor(exchange, ({ offer }) => offer !== null)

import { toBase64url } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { plainKeys } from '../../testing/plain-keys.ts'
import { fileOf, randomOf, settle } from '../../testing/portal-bytes.ts'
import { createLinkPair, memorySink, seeded } from '../../testing/portal-link.ts'
import type { FileOffer } from '../channel.ts'
import { createFastExchange } from './fast-exchange.ts'

/** One device with all it has received. */
function aDevice(clock: ReturnType<typeof createManualClock>, hasRoom = true) {
  const sinks: { offer: FileOffer; state: ReturnType<typeof memorySink>['state'] }[] = []
  const exchange = createFastExchange({
    clock,
    hasRoomFor: async () => hasRoom,
    sinkOf(offer) {
      const { state, sink } = memorySink()
      sinks.push({ offer, state })
      return sink
    },
  })
  return { exchange, sinks, state: exchange.state.current }
}

function twoDevices(seed = 1, hasRoom = true) {
  const clock = createManualClock()
  const random = seeded(seed)
  const [here, there] = [aDevice(clock), aDevice(clock, hasRoom)]
  let sentBytes = 0
  const connect = () => {
    const [left, right] = createLinkPair({ clock, random })
    const bulk = { ...left.bulk }
    bulk.send = (data) => {
      sentBytes += data.length
      left.bulk.send(data)
    }
    const counted = { ...left, bulk }
    here.exchange.attach(counted, plainKeys)
    there.exchange.attach(right, plainKeys)
    return { left: counted, right }
  }
  return { clock, random, here, there, connect, sentBytes: () => sentBytes }
}

test('a transfer whose line is lost goes on over the next one, with the blocks that were kept', async () => {
  const { clock, random, here, there, connect, sentBytes } = twoDevices()
  const bytes = randomOf(6_000_000, random)
  const { left } = connect()
  const sending = here.exchange.send([fileOf(bytes, 'long.bin')])
  await settle(clock, there.exchange.state.current().offer ? Promise.resolve() : arrived(there.exchange))
  there.exchange.answer(true)
  await settle(
    clock,
    until(there.exchange, ({ receiving }) => (receiving?.bytes ?? 0) >= 3_000_000),
  )

  left.close()
  await clock.advance(5000)
  connect()
  await settle(clock, sending)

  expect(Buffer.compare(there.sinks[0]?.state.bytes ?? new Uint8Array(0), bytes)).toBe(0)
  expect(there.state().receiving?.phase).toBe('complete')
  expect(sentBytes()).toBeLessThan(6_000_000 * 1.01 + 4 * 1024 * 1024)
}, 60_000)

test('a device that takes a minute to hand a file over is not taken for gone while the next one arrives', async () => {
  const { clock, random, here } = twoDevices()
  const finished: Uint8Array[] = []
  const there = createFastExchange({
    clock,
    hasRoomFor: async () => true,
    sinkOf() {
      const { state, sink } = memorySink()
      const finish = async () => {
        await clock.wait(60_000)
        finished.push(state.bytes)
      }
      return { ...sink, finish }
    },
  })
  const [left, right] = createLinkPair({ clock, random })
  here.exchange.attach(left, plainKeys)
  there.attach(right, plainKeys)
  const files = [randomOf(3_000_000, random), randomOf(12_000_000, random)]
  const sending = here.exchange.send(files.map((bytes, number) => fileOf(bytes, `${number}.bin`)))
  await settle(
    clock,
    until(there, ({ offer }) => offer !== null),
  )
  there.answer(true)

  await settle(clock, sending)

  expect(left.lost.aborted).toBe(false)
  expect(finished.map((bytes, number) => Buffer.compare(bytes, files[number] ?? bytes))).toEqual([0, 0])
}, 60_000)

test('T208 POR-05 of a flood of offers one waits, the others are told that this device is busy, and no answer is a no', async () => {
  const { clock, there, connect } = twoDevices()
  const { left } = connect()
  const answers: unknown[] = []
  left.control.listen((data) => answers.push(JSON.parse(String(data))))
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

test('T209 names of offered files are made harmless and unlike each other before anybody sees them', async () => {
  const { clock, there, connect } = twoDevices()
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

test('T208 hostile offers are no offers: too many files, sizes that are no sizes, none at all', async () => {
  const { clock, there, connect } = twoDevices()
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

test('POR-05 files that find no room are refused before anybody is asked, and both are told why', async () => {
  const { clock, here, there, connect } = twoDevices(1, false)
  connect()

  await expect(settle(clock, here.exchange.send([fileOf(new Uint8Array(5))]))).rejects.toThrow(
    'there is no room for the file on the other device',
  )

  expect(there.state().offer).toBe(null)
  expect(there.state().receiving?.reason).toBe('there is not enough space on this device')
  expect(there.sinks).toEqual([])
})

function until(
  exchange: ReturnType<typeof aDevice>['exchange'],
  look: (state: ReturnType<typeof exchange.state.current>) => boolean,
) {
  return new Promise<void>((resolve) => {
    const stop = exchange.state.subscribe(() => {
      if (!look(exchange.state.current())) return
      stop()
      resolve()
    })
  })
}

const arrived = (exchange: ReturnType<typeof aDevice>['exchange']) => until(exchange, ({ offer }) => offer !== null)

import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { plainKeys } from '../../testing/plain-keys.ts'
import { fileOf, randomOf, settle } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import { createDisk } from '../../testing/portal-notes.ts'
import type { Link } from '../channel.ts'
import { createFastExchange, type FastExchange } from './fast-exchange.ts'

const each = 2_000_000

/** Four files have been offered that arrive in memory; two of them are whole when the pages are closed. */
async function closedHalfWay({ standsAlone }: { readonly standsAlone?: true }) {
  const clock = createManualClock()
  const random = seeded(1)
  const disks = { here: createDisk(), there: createDisk() }
  const contents = Array.from({ length: 4 }, () => randomOf(each, random))
  const files = contents.map((bytes, index) => fileOf(bytes, `${index}.bin`))
  let sentBytes = 0

  function page(side: 'here' | 'there'): FastExchange {
    const { notes, sinkOf } = disks[side].visit()
    const inMemory: typeof sinkOf = (file) => {
      const { write, finish, discard } = sinkOf(file)
      return { write, finish, discard, ...(standsAlone && { standsAlone }) }
    }
    return createFastExchange({ clock, hasRoomFor: async () => true, notes, sinkOf: inMemory })
  }

  /** Beyond `mostBytes` nothing passes any more. */
  function connect(here: FastExchange, there: FastExchange, mostBytes = Number.POSITIVE_INFINITY): Link {
    const [left, right] = createLinkPair({ clock, random })
    const send: typeof left.bulk.send = (data) => {
      if (sentBytes >= mostBytes) return
      sentBytes += data.length
      left.bulk.send(data)
    }
    here.attach({ ...left, bulk: { ...left.bulk, send } }, plainKeys)
    there.attach(right, plainKeys)
    return left
  }

  const until = (exchange: FastExchange, look: () => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = () => look() && resolve()
    exchange.state.subscribe(check)
    check()
    return settle(clock, promise)
  }

  const [here, there] = [page('here'), page('there')]
  const link = connect(here, there, 2.5 * each)
  here.send(files).catch(() => undefined)
  await until(there, () => there.state.current().offer !== null)
  there.answer(true)
  await until(there, () => disks.there.finished.length === 2)
  const [departed] = disks.here.departures.values()
  link.close()
  await clock.advance(3000)
  sentBytes = 0
  const again = { here: page('here'), there: page('there') }
  connect(again.here, again.there)
  const goneOn = again.here.goOn(departed ?? { tid: '', secret: '' }, files)
  goneOn.catch(() => undefined)
  return { clock, disks, contents, again, goneOn, until, sentBytes: () => sentBytes }
}

const isEach = (found: readonly Uint8Array[], wanted: readonly Uint8Array[]) =>
  wanted.map((bytes, index) => Buffer.compare(found[index] ?? new Uint8Array(0), bytes) === 0)

test('of several small files those that were saved already are not sent again once both pages were closed', async () => {
  const { clock, disks, contents, again, goneOn, sentBytes } = await closedHalfWay({ standsAlone: true })
  await settle(clock, goneOn)

  expect(again.there.state.current().offer, 'nobody is asked again').toBe(null)
  expect(isEach(disks.there.finished, contents)).toEqual([true, true, true, true])
  expect(disks.there.finished).toHaveLength(4)
  expect(sentBytes()).toBeLessThan(2.1 * each)
  for (const { state } of [again.here, again.there]) {
    const { sending, receiving } = state.current()
    expect(sending ?? receiving).toMatchObject({ phase: 'complete', bytes: 4 * each })
  }
  expect([...disks.there.arrivals, ...disks.here.departures]).toEqual([])
}, 60_000)

test('both people see how much was there already while several files go on', async () => {
  const { again, until } = await closedHalfWay({ standsAlone: true })
  const shown = { sending: Number.POSITIVE_INFINITY, receiving: Number.POSITIVE_INFINITY }
  again.here.state.subscribe(() => {
    const { phase, bytes = 0 } = again.here.state.current().sending ?? {}
    if (phase === 'transferring') shown.sending = Math.min(shown.sending, bytes)
  })
  await until(again.there, () => {
    const bytes = again.there.state.current().receiving?.bytes ?? 0
    if (bytes > 0) shown.receiving = Math.min(shown.receiving, bytes)
    return bytes > 2 * each
  })

  expect(shown.receiving).toBeGreaterThanOrEqual(each)
  expect(shown.sending).toBeGreaterThanOrEqual(each)
}, 60_000)

test('files of which none is worth anything without the others are offered anew once the pages were closed', async () => {
  const { disks, again, until } = await closedHalfWay({})

  await until(again.there, () => again.there.state.current().offer !== null)

  expect(again.there.state.current().receiving).toBe(null)
  expect([...disks.there.arrivals]).toEqual([])
}, 60_000)

test('files that are whole before their transfer was written down leave nothing behind to go on with', async () => {
  const clock = createManualClock()
  const disk = createDisk()
  const { notes, sinkOf } = disk.visit()
  const arrive: typeof notes.arrive = async (note) => {
    await clock.wait(5000)
    await notes.arrive(note)
  }
  const shared = { clock, hasRoomFor: async () => true, sinkOf }
  const [here, there] = [createFastExchange(shared), createFastExchange({ ...shared, notes: { ...notes, arrive } })]
  const [left, right] = createLinkPair({ clock, random: seeded(1) })
  here.attach(left, plainKeys)
  there.attach(right, plainKeys)
  there.state.subscribe(() => there.state.current().offer && there.answer(true))

  await settle(
    clock,
    here.send([fileOf(randomOf(10, seeded(2)), 'one.bin'), fileOf(randomOf(10, seeded(3)), 'two.bin')]),
  )
  expect(disk.finished).toHaveLength(2)
  await clock.advance(10_000)

  expect([...disk.arrivals]).toEqual([])
}, 60_000)

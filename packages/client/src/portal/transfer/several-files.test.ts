import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { noopKeyWrap } from '../../testing/plain-keys.ts'
import { fileOf, randomOf, runUntilSettled } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import { createTransferStorage } from '../../testing/transfer-storage.ts'
import type { Link } from '../channel.ts'
import { createFastExchange, type FastExchange } from './fast-exchange.ts'

const each = 2_000_000

/** Offers four files that are received in memory; two of them are complete when both pages are closed. */
async function interruptHalfway({ standsAlone: isIndependent }: { readonly standsAlone?: true }) {
  const clock = createManualClock()
  const random = seeded(1)
  const disks = { here: createTransferStorage(), there: createTransferStorage() }
  const contents = Array.from({ length: 4 }, () => randomOf(each, random))
  const files = contents.map((bytes, index) => fileOf(bytes, `${index}.bin`))
  let sentBytes = 0

  function page(side: 'here' | 'there'): FastExchange {
    const { journal, createSink } = disks[side].openPage()
    const inMemory: typeof createSink = (file) => {
      const { write, finish, discard } = createSink(file)
      return { write, finish, discard, ...(isIndependent && { isIndependent }) }
    }
    return createFastExchange({ clock, hasFreeSpaceFor: async () => true, journal, createSink: inMemory })
  }

  /** After `mostBytes` bytes the link drops everything. */
  function connect(here: FastExchange, there: FastExchange, mostBytes = Number.POSITIVE_INFINITY): Link {
    const [left, right] = createLinkPair({ clock, random })
    const send: typeof left.bulk.send = (data) => {
      if (sentBytes >= mostBytes) return
      sentBytes += data.length
      left.bulk.send(data)
    }
    here.attach({ ...left, bulk: { ...left.bulk, send } }, noopKeyWrap)
    there.attach(right, noopKeyWrap)
    return left
  }

  const waitFor = (exchange: FastExchange, matches: () => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = () => matches() && resolve()
    exchange.state.subscribe(check)
    check()
    return runUntilSettled(clock, promise)
  }

  const [here, there] = [page('here'), page('there')]
  const link = connect(here, there, 2.5 * each)
  here.send(files).catch(() => undefined)
  await waitFor(there, () => there.state.current().offer !== null)
  there.answer(true)
  await waitFor(there, () => disks.there.finished.length === 2)
  const [persisted] = disks.here.outgoing.values()
  link.close()
  await clock.advance(3000)
  sentBytes = 0
  const reopened = { here: page('here'), there: page('there') }
  connect(reopened.here, reopened.there)
  const resumed = reopened.here.resume(persisted ?? { tid: '', secret: '' }, files)
  resumed.catch(() => undefined)
  return { clock, disks, contents, reopened, resumed, waitFor, sentBytes: () => sentBytes }
}

const areEqual = (found: readonly Uint8Array[], expected: readonly Uint8Array[]) =>
  expected.map((bytes, index) => Buffer.compare(found[index] ?? new Uint8Array(0), bytes) === 0)

test('after both pages are closed, small files that were already saved are not sent again', async () => {
  const { clock, disks, contents, reopened, resumed, sentBytes } = await interruptHalfway({ standsAlone: true })
  await runUntilSettled(clock, resumed)

  expect(reopened.there.state.current().offer, 'the user is not asked again').toBe(null)
  expect(areEqual(disks.there.finished, contents)).toEqual([true, true, true, true])
  expect(disks.there.finished).toHaveLength(4)
  expect(sentBytes()).toBeLessThan(2.1 * each)
  for (const { state } of [reopened.here, reopened.there]) {
    const { sending, receiving } = state.current()
    expect(sending ?? receiving).toMatchObject({ phase: 'complete', bytes: 4 * each })
  }
  expect([...disks.there.incoming, ...disks.here.outgoing]).toEqual([])
})

test('both devices count the bytes of the earlier pages when a transfer of several files resumes', async () => {
  const { reopened, waitFor } = await interruptHalfway({ standsAlone: true })
  const shown = { sending: Number.POSITIVE_INFINITY, receiving: Number.POSITIVE_INFINITY }
  reopened.here.state.subscribe(() => {
    const { phase, bytes = 0 } = reopened.here.state.current().sending ?? {}
    if (phase === 'transferring') shown.sending = Math.min(shown.sending, bytes)
  })
  await waitFor(reopened.there, () => {
    const bytes = reopened.there.state.current().receiving?.bytes ?? 0
    if (bytes > 0) shown.receiving = Math.min(shown.receiving, bytes)
    return bytes > 2 * each
  })

  expect(shown.receiving).toBeGreaterThanOrEqual(each)
  expect(shown.sending).toBeGreaterThanOrEqual(each)
})

test('the bytes of earlier pages do not count as speed', async () => {
  const { clock, reopened, waitFor } = await interruptHalfway({ standsAlone: true })
  const startedAt = clock.now()
  const excess: number[] = []
  for (const [device, direction] of [
    [reopened.here, 'sending'],
    [reopened.there, 'receiving'],
  ] as const) {
    device.state.subscribe(() => {
      const { bytes = 0, bytesPerSecond = 0 } = device.state.current()[direction] ?? {}
      const seconds = Math.max(0.1, (clock.now() - startedAt) / 1000)
      // Two of the four files had arrived before.
      excess.push(bytesPerSecond - Math.max(0, bytes - 2 * each) / seconds - each)
    })
  }
  await waitFor(reopened.there, () => (reopened.there.state.current().receiving?.bytes ?? 0) > 2.2 * each)

  expect(Math.max(...excess)).toBeLessThan(2 * each)
})

test('files that are only useful together are offered again after the pages are closed', async () => {
  const { disks, reopened, waitFor } = await interruptHalfway({})

  await waitFor(reopened.there, () => reopened.there.state.current().offer !== null)

  expect(reopened.there.state.current().receiving).toBe(null)
  expect([...disks.there.incoming]).toEqual([])
})

test('files that complete before their transfer is persisted leave no resumable record', async () => {
  const clock = createManualClock()
  const disk = createTransferStorage()
  const { journal, createSink } = disk.openPage()
  const saveIncoming: typeof journal.saveIncoming = async (note) => {
    await clock.wait(5000)
    await journal.saveIncoming(note)
  }
  const shared = { clock, hasFreeSpaceFor: async () => true, createSink }
  const [here, there] = [
    createFastExchange(shared),
    createFastExchange({ ...shared, journal: { ...journal, saveIncoming } }),
  ]
  const [left, right] = createLinkPair({ clock, random: seeded(1) })
  here.attach(left, noopKeyWrap)
  there.attach(right, noopKeyWrap)
  there.state.subscribe(() => there.state.current().offer && there.answer(true))

  await runUntilSettled(
    clock,
    here.send([fileOf(randomOf(10, seeded(2)), 'one.bin'), fileOf(randomOf(10, seeded(3)), 'two.bin')]),
  )
  expect(disk.finished).toHaveLength(2)
  await clock.advance(10_000)

  expect([...disk.incoming]).toEqual([])
})

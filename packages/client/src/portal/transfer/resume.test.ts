import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { noopKeyWrap } from '../../testing/plain-keys.ts'
import { fileOf, randomOf, runUntilSettled } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import { createTransferStorage } from '../../testing/transfer-storage.ts'
import type { Link, OutgoingFile } from '../channel.ts'
import { createFastExchange, type FastExchange } from './fast-exchange.ts'

const total = 20_000_000

/** Two devices with persistent storage. Half of a file has arrived when one of their pages is killed. */
async function interruptTransfer(seed = 1) {
  const clock = createManualClock()
  const random = seeded(seed)
  const disks = { here: createTransferStorage(), there: createTransferStorage() }
  const bytes = randomOf(total, random)
  let sentBytes = 0
  let link: Link | null = null

  const page = (side: 'here' | 'there') =>
    createFastExchange({ clock, hasFreeSpaceFor: async () => true, ...disks[side].openPage() })

  /** After `mostBytes` bytes the link drops everything. */
  function connect(here: FastExchange, there: FastExchange, mostBytes = Number.POSITIVE_INFINITY) {
    const [left, right] = createLinkPair({ clock, random })
    const send = left.bulk.send
    const bulk = {
      ...left.bulk,
      send(data: Parameters<typeof send>[0]) {
        if (sentBytes >= mostBytes) return
        sentBytes += data.length
        send(data)
      },
    }
    here.attach({ ...left, bulk }, noopKeyWrap)
    there.attach(right, noopKeyWrap)
    link = left
  }

  const waitFor = (exchange: FastExchange, matches: (state: ReturnType<typeof exchange.state.current>) => boolean) =>
    runUntilSettled(
      clock,
      new Promise<void>((resolve) => {
        const check = () => matches(exchange.state.current()) && resolve()
        exchange.state.subscribe(check)
        check()
      }),
    )

  const [here, there] = [page('here'), page('there')]
  // The limit keeps the file incomplete until the page is killed, however much one clock step transfers.
  connect(here, there, 0.75 * total)
  const file = fileOf(bytes, 'film.mp4')
  const sending = here.send([file])
  sending.catch(() => undefined)
  await waitFor(there, ({ offer }) => offer !== null)
  there.answer(true)
  await waitFor(there, ({ receiving }) => (receiving?.bytes ?? 0) >= total / 2)
  return {
    clock,
    disks,
    bytes,
    file,
    here,
    there,
    sending,
    page,
    connect,
    waitFor,
    /** Closes the link, as killing the page does. */
    closeLink: async () => {
      link?.close()
      await clock.advance(3000)
      sentBytes = 0
    },
    sentBytes: () => sentBytes,
  }
}

const isEqual = (left: Uint8Array | undefined, right: Uint8Array) => left && Buffer.compare(left, right) === 0

test('after the receiver page is killed only blocks that were not flushed and persisted are sent again', async () => {
  const { clock, disks, bytes, here, sending, page, connect, closeLink, sentBytes } = await interruptTransfer()
  await closeLink()
  const reopened = page('there')

  connect(here, reopened)
  await runUntilSettled(clock, sending)

  expect(reopened.state.current().offer).toBe(null)
  expect(isEqual(disks.there.finished[0], bytes)).toBe(true)
  expect(disks.there.finished).toHaveLength(1)
  expect(sentBytes()).toBeLessThan(total / 2 + 16 * 1024 * 1024)
  expect(sentBytes()).toBeLessThan(total * 0.95)
  expect([...disks.there.incoming, ...disks.here.outgoing]).toEqual([])
})

test('POR-04 a later page gets the same staging key, which cannot be derived from persisted data', async () => {
  const { clock, disks, here, sending, page, connect, closeLink } = await interruptTransfer()
  await closeLink()
  const persisted = JSON.stringify([...disks.there.incoming])
  const [departure] = disks.here.outgoing.values()

  connect(here, page('there'))
  await runUntilSettled(clock, sending)

  const [first, later] = disks.there.stagingKeys
  expect(first?.key).toHaveLength(43)
  expect(later).toEqual(first)
  expect(persisted).not.toContain(first?.key)
  expect(departure?.secret).toHaveLength(43)
  expect(persisted).not.toContain(departure?.secret)
})

test('after the sender page is killed the transfer resumes with the file selected again', async () => {
  const { clock, disks, bytes, file, there, page, connect, closeLink, sentBytes } = await interruptTransfer()
  await closeLink()
  const [persisted] = disks.here.outgoing.values()
  const reopened = page('here')

  connect(reopened, there)
  await runUntilSettled(clock, reopened.resume(persisted ?? { tid: '', secret: '' }, [file]))

  expect(isEqual(disks.there.finished[0], bytes)).toBe(true)
  expect(sentBytes()).toBeLessThan(total * 0.7)
})

test('a source file that changed since is not combined with stored blocks', async () => {
  const { clock, disks, bytes, there, page, connect, closeLink } = await interruptTransfer()
  await closeLink()
  const [persisted] = disks.here.outgoing.values()
  const reopened = page('here')
  const changed: OutgoingFile = fileOf(
    bytes.map((byte) => byte ^ 1),
    'film.mp4',
  )

  connect(reopened, there)
  const outcome = runUntilSettled(clock, reopened.resume(persisted ?? { tid: '', secret: '' }, [changed]))

  await expect(outcome).rejects.toThrow('SOURCE_CHANGED')
  // The message that ends the transfer is still on its way to the receiver.
  await runUntilSettled(clock, clock.wait(1000))
  expect(disks.there.finished).toEqual([])
  expect(there.state.current().receiving).toMatchObject({ phase: 'failed' })
})

test('a source with one changed block is either received in its new form or rejected, never mixed', async () => {
  const { clock, disks, bytes, there, page, connect, closeLink } = await interruptTransfer(2)
  await closeLink()
  const [persisted] = disks.here.outgoing.values()
  const reopened = page('here')
  const changed = bytes.slice()
  changed[3 * 1024 * 1024 + 5] = (changed[3 * 1024 * 1024 + 5] ?? 0) ^ 1

  connect(reopened, there)
  const outcome = await runUntilSettled(
    clock,
    reopened.resume(persisted ?? { tid: '', secret: '' }, [fileOf(changed, 'film.mp4')]).then(
      () => 'whole',
      () => 'refused',
    ),
  )

  // Whether the changed block is in the random sample varies.
  if (outcome === 'whole') expect(isEqual(disks.there.finished[0], changed)).toBe(true)
  else expect(disks.there.finished).toEqual([])
})

test('if stored blocks were damaged on disk the whole file is sent again', async () => {
  const { clock, disks, bytes, here, sending, page, connect, closeLink, sentBytes } = await interruptTransfer()
  await closeLink()
  const reopened = page('there')
  for (const file of disks.there.files.values()) file.bytes[7] = (file.bytes[7] ?? 0) ^ 1

  connect(here, reopened)
  await runUntilSettled(clock, sending)

  expect(isEqual(disks.there.finished[0], bytes)).toBe(true)
  expect(sentBytes()).toBeGreaterThan(total)
})

test('an offer with a known transfer id but without its secret is shown to the user like any other', async () => {
  const { disks, file, page, connect, waitFor, closeLink } = await interruptTransfer()
  await closeLink()
  const [persisted] = disks.here.outgoing.values()
  const [stranger, again] = [page('here'), page('there')]

  connect(stranger, again)
  stranger
    .resume({ tid: persisted?.tid ?? '', secret: Buffer.alloc(32, 1).toString('base64url') }, [file])
    .catch(() => undefined)
  await waitFor(again, ({ offer }) => offer !== null)

  expect(again.state.current().receiving).toBe(null)
})

import type { RelayedSignal } from '@sallyport/contract/portals'
import { createPortalKey, importPortalKey, randomBytes, sealPortalRecord } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { runUntilSettled } from '../../testing/portal-bytes.ts'
import { createLinkPair, memorySink, seeded } from '../../testing/portal-link.ts'
import type { FileOffer } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { createLegacyExchange } from './legacy-exchange.ts'
import { encodeLegacyKey } from './legacy-messages.ts'

/** A Sallyport device, and a legacy peer that may send anything. */
function createDevice({ hasRoom = true } = {}) {
  const clock = createManualClock()
  const [here, there] = createLinkPair({ clock, random: seeded(1) })
  const signals: RelayedSignal[] = []
  const sinks: (ReturnType<typeof memorySink> & { offer: FileOffer })[] = []
  const exchange = createLegacyExchange({
    link: here,
    clock,
    sendSignal: (message) => signals.push(message),
    hasFreeSpaceFor: async () => hasRoom,
    createSink(offer) {
      const entry = { ...memorySink(), offer }
      sinks.push(entry)
      return entry.sink
    },
  })
  here.main.onMessage(exchange.handleMessage)
  const offer = (fileName: string, fileSize = 5) =>
    exchange.handleSignal({ type: 'file-offer', fileName, fileSize, fileType: '', isEncrypted: true })
  return { clock, exchange, signals, sinks, offer, there, shown: () => exchange.state.current().offer?.files }
}

test('T208 legacy protocol: of 20 offers at once 1 is shown and 19 are rejected; after 30 s without an answer the 1 is rejected', async () => {
  const { clock, signals, offer, shown, sinks } = createDevice()
  for (let number = 0; number < 20; number += 1) offer(`file ${number}`)
  await clock.advance(0)

  expect(shown()).toMatchObject([{ name: 'file 0' }])
  expect(signals).toEqual(Array.from({ length: 19 }, () => ({ type: 'file-reject' })))
  await clock.advance(29_000)
  expect(shown()).toHaveLength(1)
  await clock.advance(1000)

  expect(shown()).toBe(undefined)
  expect(signals).toHaveLength(20)
  expect(sinks).toEqual([])
})

test.each([
  ['a path', '../../etc/passwd', 'passwd'],
  ['a Windows path', '..\\..\\autoexec.bat', '_.._autoexec.bat'],
  ['a bidirectional override', 'a\u202egnp.exe', 'agnp.exe'],
  ['a Windows device name', 'con.txt', '_con.txt'],
  ['only invisible characters', '\u0000\n', 'file'],
])(
  'T209 legacy protocol: a file name with %s is sanitized and the file is received',
  async (_, offeredName, safeName) => {
    const { clock, exchange, offer, shown, sinks, there } = createDevice()
    offer(offeredName)
    await clock.advance(0)
    expect(shown()).toMatchObject([{ name: safeName }])
    exchange.answer(true)
    const raw = createPortalKey()
    const bytes = randomBytes(5)
    const key = { type: 'encryption-key', key: encodeLegacyKey(raw), fileName: offeredName, originalSize: 5 }
    there.main.send(JSON.stringify(key))
    there.main.send(await sealPortalRecord(await importPortalKey(raw), bytes))
    there.main.send(JSON.stringify({ type: 'transfer-complete' }))
    await runUntilSettled(clock, clock.wait(1000))

    expect(sinks[0]?.offer.name).toBe(safeName)
    expect(sinks[0]?.state).toMatchObject({ isFinished: true, bytes })
    expect(exchange.state.current().receiving).toMatchObject({ phase: 'complete', fileName: safeName })
  },
)

test('T211 closing the portal discards the partial file and withdraws the pending offer', async () => {
  const { clock, exchange, offer, shown, sinks } = createDevice()
  offer('half.bin', 500)
  await clock.advance(0)
  exchange.answer(true)
  offer('next.bin')

  exchange.stop(new PortalError('CANCELLED'))
  await runUntilSettled(clock, clock.wait(100))

  expect(sinks[0]?.state).toMatchObject({ isFinished: false, isDiscarded: true })
  expect(shown()).toBe(undefined)
  exchange.answer(true)
  expect(sinks).toHaveLength(1)
})

test('POR-05 legacy protocol: a file without enough disk space is rejected before the user is asked', async () => {
  const { clock, exchange, signals, offer, shown, sinks } = createDevice({ hasRoom: false })
  offer('too large.bin', 5e12)
  await clock.advance(0)

  expect(shown()).toBe(undefined)
  expect(signals).toEqual([{ type: 'file-reject' }])
  expect(exchange.state.current().receiving).toMatchObject({
    phase: 'failed',
    fileName: 'too large.bin',
    reason: new PortalError('NO_SPACE_HERE'),
  })
  expect(sinks).toEqual([])
})

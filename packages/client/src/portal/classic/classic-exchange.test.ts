import type { PassedOn } from '@sallyport/contract/portals'
import { createPortalKey, importPortalKey, randomBytes, sealPortalRecord } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { settle } from '../../testing/portal-bytes.ts'
import { createLinkPair, memorySink, seeded } from '../../testing/portal-link.ts'
import { type FileOffer, PortalError } from '../channel.ts'
import { createClassicExchange } from './classic-exchange.ts'
import { writeClassicKey } from './classic-messages.ts'

/** A device of ours, and one that may say anything over the basic protocol. */
function aDevice({ hasRoom = true } = {}) {
  const clock = createManualClock()
  const [here, there] = createLinkPair({ clock, random: seeded(1) })
  const told: PassedOn[] = []
  const sinks: (ReturnType<typeof memorySink> & { offer: FileOffer })[] = []
  const exchange = createClassicExchange({
    link: here,
    clock,
    signal: (message) => told.push(message),
    hasRoomFor: async () => hasRoom,
    sinkOf(offer) {
      const made = { ...memorySink(), offer }
      sinks.push(made)
      return made.sink
    },
  })
  here.main.listen(exchange.hear)
  const offer = (fileName: string, fileSize = 5) =>
    exchange.hearSignal({ type: 'file-offer', fileName, fileSize, fileType: '', isEncrypted: true })
  return { clock, exchange, told, sinks, offer, there, shown: () => exchange.state.current().offer?.files }
}

test('T208 by the basic protocol one offer of a flood waits, the others are rejected, and no answer in 30 s is a no', async () => {
  const { clock, told, offer, shown, sinks } = aDevice()
  for (let number = 0; number < 20; number += 1) offer(`file ${number}`)
  await clock.advance(0)

  expect(shown()).toMatchObject([{ name: 'file 0' }])
  expect(told).toEqual(Array.from({ length: 19 }, () => ({ type: 'file-reject' })))
  await clock.advance(29_000)
  expect(shown()).toHaveLength(1)
  await clock.advance(1000)

  expect(shown()).toBe(undefined)
  expect(told).toHaveLength(20)
  expect(sinks).toEqual([])
})

test.each([
  ['a path', '../../etc/passwd', 'passwd'],
  ['a path of Windows', '..\\..\\autoexec.bat', '_.._autoexec.bat'],
  ['letters that run backwards', 'a\u202egnp.exe', 'agnp.exe'],
  ['a device', 'con.txt', '_con.txt'],
  ['nothing to see', '\u0000\n', 'file'],
])(
  'T209 by the basic protocol a name that is %s is made harmless, and its bytes arrive',
  async (_, hostile, harmless) => {
    const { clock, exchange, offer, shown, sinks, there } = aDevice()
    offer(hostile)
    await clock.advance(0)
    expect(shown()).toMatchObject([{ name: harmless }])
    exchange.answer(true)
    const raw = createPortalKey()
    const bytes = randomBytes(5)
    const key = { type: 'encryption-key', key: writeClassicKey(raw), fileName: hostile, originalSize: 5 }
    there.main.send(JSON.stringify(key))
    there.main.send(await sealPortalRecord(await importPortalKey(raw), bytes))
    there.main.send(JSON.stringify({ type: 'transfer-complete' }))
    await settle(clock, clock.wait(1000))

    expect(sinks[0]?.offer.name).toBe(harmless)
    expect(sinks[0]?.state).toMatchObject({ isFinished: true, bytes })
    expect(exchange.state.current().receiving).toMatchObject({ phase: 'complete', fileName: harmless })
  },
)

test('T211 when the portal closes, what has arrived so far is thrown away and the offer that waits is gone', async () => {
  const { clock, exchange, offer, shown, sinks } = aDevice()
  offer('half.bin', 500)
  exchange.answer(true)
  offer('next.bin')

  exchange.stop(new PortalError('over'))
  await settle(clock, clock.wait(100))

  expect(sinks[0]?.state).toMatchObject({ isFinished: false, isDiscarded: true })
  expect(shown()).toBe(undefined)
  exchange.answer(true)
  expect(sinks).toHaveLength(1)
})

test('POR-05 by the basic protocol a file that finds no room is rejected before anybody is asked', async () => {
  const { clock, exchange, told, offer, shown, sinks } = aDevice({ hasRoom: false })
  offer('too large.bin', 5e12)
  await clock.advance(0)

  expect(shown()).toBe(undefined)
  expect(told).toEqual([{ type: 'file-reject' }])
  expect(exchange.state.current().receiving).toMatchObject({
    phase: 'failed',
    fileName: 'too large.bin',
    reason: 'there is not enough space on this device',
  })
  expect(sinks).toEqual([])
})

import { type Bytes, toBase64url } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { fileOf, randomOf, settle } from '../testing/portal-bytes.ts'
import { createLinkPair, type Faults, memorySink, seeded } from '../testing/portal-link.ts'
import { readClassicMessage } from './classic/classic-messages.ts'
import { createClassicReceiver } from './classic/classic-receive.ts'
import { sendClassic } from './classic/classic-send.ts'
import { readFastMessage } from './fast/fast-messages.ts'
import { createFastReceiver } from './fast/fast-receive.ts'
import { createFastSender, createOutgoing } from './fast/fast-send.ts'
import { createIncoming } from './fast/incoming.ts'

async function sendFast(seed: number, bytes: readonly Bytes[], faults: Faults) {
  const random = seeded(seed)
  const clock = createManualClock()
  const [here, there] = createLinkPair({ clock, random, faults })
  const tid = toBase64url(randomOf(16, random))
  const outgoing = {
    ...createOutgoing(
      tid,
      bytes.map((one) => fileOf(one)),
    ),
    chunk: 16_384,
  } as const
  const files = outgoing.files.map(({ name, size, mime }, f) => ({ f, name, size, mime }))
  const sinks = files.map(() => memorySink())
  const incoming = createIncoming({ tid, files, chunk: 16_384 }, ({ f }) => (sinks[f] as (typeof sinks)[0]).sink)
  const over = new AbortController()
  const shared = { clock, signal: over.signal, onProgress: () => undefined }
  const wrapKey = async (key: Bytes) => toBase64url(key)
  const sender = createFastSender({ ...shared, outgoing, link: here, wrapKey })
  const unwrapKey = async (key: string) => Uint8Array.fromBase64(key, { alphabet: 'base64url' })
  const receiver = createFastReceiver({ ...shared, incoming, link: there, unwrapKey })
  const hearing = (hear: typeof sender.hear) => (data: string | Bytes) => {
    const message = typeof data === 'string' ? readFastMessage(data) : null
    if (message) hear(message)
  }
  here.control.listen(hearing(sender.hear))
  there.control.listen(hearing(receiver.hear))
  there.bulk.listen((data) => {
    if (typeof data !== 'string') receiver.takeFrame(data)
  })
  const outcome = await settle(clock, Promise.all([sender.run([]), receiver.done])).then(
    () => 'complete',
    (error: Error) => `Transfer failed: ${error.message}`,
  )
  over.abort(new Error('over'))
  return { outcome, sinks }
}

const equal = (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) === 0

test('T206 between two of ours 1 % lost, repeated, late and damaged messages give the equal file, over 1,000 seeds', {
  timeout: 240_000,
}, async () => {
  const faults = { lost: 0.01, repeated: 0.01, delayed: 0.01, damaged: 0.01 }
  let complete = 0
  for (let seed = 0; seed < 1000; seed += 1) {
    const random = seeded(seed + 5000)
    const bytes = randomOf(Math.floor(random() * 160_000), random)
    const { outcome, sinks } = await sendFast(seed, [bytes], faults)
    const [{ state }] = sinks as [(typeof sinks)[0]]
    if (outcome === 'complete') complete += 1
    else expect(outcome).toMatch(/^Transfer failed: /)
    expect([seed, state.isFinished, state.isFinished && equal(state.bytes, bytes)]).toEqual([
      seed,
      outcome === 'complete',
      outcome === 'complete',
    ])
  }
  expect(complete).toBe(1000)
})

test('T206 several files, empty ones and ones of several blocks arrive equal over a bad line', {
  timeout: 60_000,
}, async () => {
  const random = seeded(3)
  const files = [0, 1, 16_384, 1_048_576, 1_048_577, 3_000_000].map((size) => randomOf(size, random))

  const { outcome, sinks } = await sendFast(1, files, { lost: 0.1, repeated: 0.05, delayed: 0.1, damaged: 0.05 })

  expect(outcome).toBe('complete')
  for (const [index, bytes] of files.entries()) {
    expect(sinks[index]?.state.isFinished).toBe(true)
    expect(equal(sinks[index]?.state.bytes ?? new Uint8Array(1), bytes)).toBe(true)
  }
})

test('T206 by the basic protocol 1 % lost, repeated and damaged messages give the equal file or none, over 1,000 seeds', {
  timeout: 240_000,
}, async () => {
  const outcomes = { complete: 0, failed: 0 }
  for (let seed = 0; seed < 1000; seed += 1) {
    const random = seeded(seed + 9000)
    const bytes = randomOf(Math.floor(random() * 500_000), random)
    const { outcome, state } = await sendBasic(seed, bytes)
    if (outcome === 'complete') outcomes.complete += 1
    else outcomes.failed += 1
    expect([seed, state.isFinished && equal(state.bytes, bytes), state.isDiscarded]).toEqual([
      seed,
      outcome === 'complete',
      outcome !== 'complete',
    ])
  }
  expect(outcomes.complete).toBeGreaterThan(300)
  expect(outcomes.failed).toBeGreaterThan(100)
})

async function sendBasic(seed: number, bytes: Bytes) {
  const clock = createManualClock({ passUpTo: 5 })
  const mainFaults = { lost: 0.01, repeated: 0.01, damaged: 0.01 }
  const [here, there] = createLinkPair({ clock, random: seeded(seed), mainFaults })
  const { state, sink } = memorySink()
  const offer = { name: 'a.bin', size: bytes.length, mime: '' }
  const receiver = createClassicReceiver({ offer, sink, onProgress: () => undefined })
  receiver.done.catch(() => undefined)
  there.main.listen((data) => {
    const message = typeof data === 'string' ? readClassicMessage(data) : null
    if (typeof data !== 'string') receiver.takeChunk(data)
    if (message?.type === 'encryption-key') receiver.takeKey(message)
    if (message?.type === 'transfer-complete') receiver.takeEnd()
  })
  const signal = new AbortController().signal
  await settle(clock, sendClassic({ file: fileOf(bytes), main: here.main, clock, signal, onProgress: () => undefined }))
  await clock.advance(1000)
  // The last word may have been lost as well; then the device is told that the other one went.
  receiver.stop(new Error('gone'))
  const outcome = await settle(clock, receiver.done).then(
    () => 'complete',
    (error: Error) => error.message,
  )
  return { outcome, state }
}

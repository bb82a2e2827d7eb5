import { type Bytes, toBase64url } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { fileOf, randomOf, runUntilSettled } from '../testing/portal-bytes.ts'
import { createLinkPair, type MessageFaults, memorySink, seeded } from '../testing/portal-link.ts'
import { parseLegacyMessage } from './legacy/legacy-messages.ts'
import { createLegacyReceiver } from './legacy/legacy-receive.ts'
import { sendLegacyFile } from './legacy/legacy-send.ts'
import { parseFastMessage } from './transfer/fast-messages.ts'
import { createIncomingTransfer } from './transfer/incoming.ts'
import { createLinkReceiver } from './transfer/link-receiver.ts'
import { createLinkSender, createOutgoingTransfer } from './transfer/link-sender.ts'

async function sendFast(seed: number, bytes: readonly Bytes[], faults: MessageFaults) {
  const random = seeded(seed)
  const clock = createManualClock()
  const [here, there] = createLinkPair({ clock, random, faults })
  const tid = toBase64url(randomOf(16, random))
  const outgoing = {
    ...createOutgoingTransfer(
      tid,
      bytes.map((one) => fileOf(one)),
    ),
    chunk: 16_384,
  } as const
  const files = outgoing.files.map(({ name, size, mime }, f) => ({ f, name, size, mime }))
  const sinks = files.map(() => memorySink())
  const incoming = createIncomingTransfer(
    { tid, files, chunk: 16_384 },
    ({ f }) => (sinks[f] as (typeof sinks)[0]).sink,
  )
  const stopController = new AbortController()
  const shared = { clock, signal: stopController.signal, onProgress: () => undefined }
  const wrapKey = async (key: Bytes) => toBase64url(key)
  const sender = createLinkSender({ ...shared, outgoing, link: here, wrapKey })
  const unwrapKey = async (key: string) => Uint8Array.fromBase64(key, { alphabet: 'base64url' })
  const receiver = createLinkReceiver({ ...shared, incoming, link: there, unwrapKey })
  const parseTo = (handle: typeof sender.handleMessage) => (data: string | Bytes) => {
    const message = typeof data === 'string' ? parseFastMessage(data) : null
    if (message) handle(message)
  }
  here.control.onMessage(parseTo(sender.handleMessage))
  there.control.onMessage(parseTo(receiver.handleMessage))
  there.bulk.onMessage((data) => {
    if (typeof data !== 'string') receiver.handleFrame(data)
  })
  const outcome = await runUntilSettled(clock, Promise.all([sender.run([]), receiver.done])).then(
    () => 'complete',
    (error: Error) => `Transfer failed: ${error.message}`,
  )
  stopController.abort(new Error('over'))
  return { outcome, sinks }
}

const equal = (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) === 0

test('T206 fast protocol: with 1 % lost, repeated, delayed and damaged messages 1,000 of 1,000 files arrive equal', async () => {
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

test('T206 empty, one-block and multi-block files arrive equal over a lossy link', async () => {
  const random = seeded(3)
  const files = [0, 1, 16_384, 1_048_576, 1_048_577, 3_000_000].map((size) => randomOf(size, random))

  const { outcome, sinks } = await sendFast(1, files, { lost: 0.1, repeated: 0.05, delayed: 0.1, damaged: 0.05 })

  expect(outcome).toBe('complete')
  for (const [index, bytes] of files.entries()) {
    expect(sinks[index]?.state.isFinished).toBe(true)
    expect(equal(sinks[index]?.state.bytes ?? new Uint8Array(1), bytes)).toBe(true)
  }
})

test('T206 legacy protocol: with 1 % lost, repeated and damaged messages each of 1,000 files arrives equal or not at all', async () => {
  const outcomes = { complete: 0, failed: 0 }
  for (let seed = 0; seed < 1000; seed += 1) {
    const random = seeded(seed + 9000)
    const bytes = randomOf(Math.floor(random() * 500_000), random)
    const { outcome, state } = await sendLegacy(seed, bytes)
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

async function sendLegacy(seed: number, bytes: Bytes) {
  const clock = createManualClock({ skipUpTo: 5 })
  const mainFaults = { lost: 0.01, repeated: 0.01, damaged: 0.01 }
  const [here, there] = createLinkPair({ clock, random: seeded(seed), mainFaults })
  const { state, sink } = memorySink()
  const offer = { name: 'a.bin', size: bytes.length, mime: '' }
  const receiver = createLegacyReceiver({ offer, sink, onProgress: () => undefined })
  receiver.done.catch(() => undefined)
  there.main.onMessage((data) => {
    const message = typeof data === 'string' ? parseLegacyMessage(data) : null
    if (typeof data !== 'string') receiver.handleChunk(data)
    if (message?.type === 'encryption-key') receiver.handleKey(message)
    if (message?.type === 'transfer-complete') receiver.handleEnd()
  })
  const signal = new AbortController().signal
  await runUntilSettled(
    clock,
    sendLegacyFile({ file: fileOf(bytes), main: here.main, clock, signal, onProgress: () => undefined }),
  )
  await clock.advance(1000)
  // The final message may have been lost too; stopping the receiver simulates the peer leaving.
  receiver.stop(new Error('gone'))
  const outcome = await runUntilSettled(clock, receiver.done).then(
    () => 'complete',
    (error: Error) => error.message,
  )
  return { outcome, state }
}

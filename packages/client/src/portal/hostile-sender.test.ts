import {
  type Bytes,
  concatBytes,
  createPortalKey,
  fromBase64url,
  importPortalKey,
  randomBytes,
  sealPortalRecord,
  toBase64url,
} from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { runUntilSettled } from '../testing/portal-bytes.ts'
import { createLinkPair, memorySink, seeded } from '../testing/portal-link.ts'
import { encodeLegacyKey } from './legacy/legacy-messages.ts'
import { createLegacyReceiver } from './legacy/legacy-receive.ts'
import { parseFastMessage } from './transfer/fast-messages.ts'
import { allocateFrame, chunkAad, frameHeaderBytes } from './transfer/frame.ts'
import { createIncomingTransfer } from './transfer/incoming.ts'
import { createLinkReceiver } from './transfer/link-receiver.ts'

const tid = toBase64url(new Uint8Array(16).fill(9))
const chunk = 16_384

/** A receiver that expects one file of 20,000 bytes, and a sender that may send anything. */
async function createHostileSender() {
  const clock = createManualClock()
  const [here, there] = createLinkPair({ clock, random: seeded(1) })
  const { state, sink } = memorySink()
  const files = [{ f: 0, name: 'x', size: 20_000, mime: '' }]
  const incoming = createIncomingTransfer({ tid, files, chunk }, () => sink)
  const stopController = new AbortController()
  const unwrapKey = async (key: string) => fromBase64url(key)
  const options = {
    incoming,
    link: there,
    clock,
    signal: stopController.signal,
    unwrapKey,
    onProgress: () => undefined,
  }
  const receiver = createLinkReceiver(options)
  there.control.onMessage((data) => {
    const message = parseFastMessage(String(data))
    if (message) receiver.handleMessage(message)
  })
  there.bulk.onMessage((data) => receiver.handleFrame(data as Bytes))
  const raw = createPortalKey()
  const key = await importPortalKey(raw)
  const send = (message: object) => here.control.send(JSON.stringify(message))
  return {
    state,
    clock,
    done: receiver.done,
    send,
    sendKey: (transferId = tid, bytes = raw) =>
      send({ type: 'px-file', tid: transferId, f: 0, key: toBase64url(bytes) }),
    async sendChunk(index: number, plain: Bytes, transferId = tid) {
      const frame = allocateFrame({ file: 0, chunk: index, attempt: 0 }, plain.length)
      frame.set(await sealPortalRecord(key, plain, chunkAad(fromBase64url(transferId), frame)), frameHeaderBytes)
      here.bulk.send(frame)
    },
    stop: () => stopController.abort(new Error('over')),
  }
}

test('T207 a chunk past the end or longer than offered stops the transfer and saves nothing', async () => {
  for (const [index, length] of [
    [2, chunk],
    [1, chunk],
    [0, chunk + 1],
  ] as const) {
    const receiver = await createHostileSender()
    receiver.sendKey()
    await receiver.sendChunk(index, randomBytes(length))

    await expect(runUntilSettled(receiver.clock, receiver.done)).rejects.toThrow('TOO_MUCH')
    expect(receiver.state.isFinished).toBe(false)
    receiver.stop()
  }
})

test('T210 a chunk of another transfer and a second key have no effect', async () => {
  const receiver = await createHostileSender()
  const foreign = toBase64url(new Uint8Array(16).fill(8))
  receiver.sendKey()
  receiver.sendKey(tid, createPortalKey())
  await receiver.sendChunk(0, randomBytes(chunk), foreign)
  await receiver.sendChunk(1, randomBytes(20_000 - chunk), foreign)
  await runUntilSettled(receiver.clock, receiver.clock.wait(1000))

  expect(receiver.state.bytes).toHaveLength(0)
  const [first, second] = [randomBytes(chunk), randomBytes(20_000 - chunk)]
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', concatBytes(first, second)))
  receiver.send({ type: 'px-digests', tid, f: 0, from: 0, list: [toBase64url(digest)] })
  await receiver.sendChunk(0, first)
  await receiver.sendChunk(1, second)
  await runUntilSettled(receiver.clock, receiver.clock.wait(1000))
  expect(Buffer.compare(receiver.state.bytes, concatBytes(first, second))).toBe(0)
  expect(receiver.state.isFinished).toBe(false)
  receiver.stop()
})

test('a file whose digests do not match the root of its sender is not saved', async () => {
  const receiver = await createHostileSender()
  const [first, second] = [randomBytes(chunk), randomBytes(20_000 - chunk)]
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', concatBytes(first, second)))
  receiver.sendKey()
  receiver.send({ type: 'px-digests', tid, f: 0, from: 0, list: [toBase64url(digest)] })
  await receiver.sendChunk(0, first)
  await receiver.sendChunk(1, second)
  receiver.send({ type: 'px-end', tid, f: 0, chunks: 2, root: toBase64url(new Uint8Array(32)) })

  await expect(runUntilSettled(receiver.clock, receiver.done)).rejects.toThrow('DAMAGED')
  expect(receiver.state.isFinished).toBe(false)
  receiver.stop()
})

test.each<[string, { fileName?: string; originalSize?: number; isRepeated?: boolean; isOversized?: boolean }]>([
  ['T210 a key for another file', { fileName: 'earlier.txt' }],
  ['T210 a key for another size', { originalSize: 11 }],
  ['T210 a second key', { isRepeated: true }],
  ['T207 more bytes than offered', { isOversized: true }],
])(
  'legacy protocol: %s stops the transfer and saves nothing',
  async (_, { fileName, originalSize, isRepeated, isOversized }) => {
    const { state, sink } = memorySink()
    const offer = { name: 'x.txt', size: 10, mime: '' }
    const receiver = createLegacyReceiver({ offer, sink, onProgress: () => undefined })
    const raw = createPortalKey()
    const key = await importPortalKey(raw)
    const message = { type: 'encryption-key', key: encodeLegacyKey(raw), fileName: 'x.txt', originalSize: 10 } as const

    receiver.handleKey({ ...message, ...(fileName && { fileName }), ...(originalSize && { originalSize }) })
    if (isRepeated) receiver.handleKey(message)
    receiver.handleChunk(await sealPortalRecord(key, randomBytes(10)))
    if (isOversized) receiver.handleChunk(await sealPortalRecord(key, randomBytes(1)))
    receiver.handleEnd()

    await expect(receiver.done).rejects.toThrow(isOversized ? 'TOO_MUCH' : 'DAMAGED')
    expect(state).toMatchObject({ isFinished: false, isDiscarded: true })
  },
)

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
import { settle } from '../testing/portal-bytes.ts'
import { createLinkPair, memorySink, seeded } from '../testing/portal-link.ts'
import { writeClassicKey } from './classic/classic-messages.ts'
import { createClassicReceiver } from './classic/classic-receive.ts'
import { readFastMessage } from './fast/fast-messages.ts'
import { createFastReceiver } from './fast/fast-receive.ts'
import { boundTo, frameHeaderBytes, newFrame } from './fast/frame.ts'
import { createIncoming } from './fast/incoming.ts'

const tid = toBase64url(new Uint8Array(16).fill(9))
const chunk = 16_384

/** A receiver that waits for one file of 20,000 bytes, and a sender that may say anything. */
async function aReceiver() {
  const clock = createManualClock()
  const [here, there] = createLinkPair({ clock, random: seeded(1) })
  const { state, sink } = memorySink()
  const files = [{ f: 0, name: 'x', size: 20_000, mime: '' }]
  const incoming = createIncoming({ tid, files, chunk }, () => sink)
  const over = new AbortController()
  const unwrapKey = async (key: string) => fromBase64url(key)
  const parts = { incoming, link: there, clock, signal: over.signal, unwrapKey, onProgress: () => undefined }
  const receiver = createFastReceiver(parts)
  there.control.listen((data) => {
    const message = readFastMessage(String(data))
    if (message) receiver.hear(message)
  })
  there.bulk.listen((data) => receiver.takeFrame(data as Bytes))
  const raw = createPortalKey()
  const key = await importPortalKey(raw)
  const say = (message: object) => here.control.send(JSON.stringify(message))
  return {
    state,
    clock,
    done: receiver.done,
    say,
    sayKey: (ofTransfer = tid, bytes = raw) => say({ type: 'px-file', tid: ofTransfer, f: 0, key: toBase64url(bytes) }),
    async sendChunk(index: number, plain: Bytes, ofTransfer = tid) {
      const frame = newFrame({ file: 0, chunk: index, attempt: 0 }, plain.length)
      frame.set(await sealPortalRecord(key, plain, boundTo(fromBase64url(ofTransfer), frame)), frameHeaderBytes)
      here.bulk.send(frame)
    },
    stop: () => over.abort(new Error('over')),
  }
}

test('T207 a chunk behind the end, or one longer than was offered, stops the transfer and leaves nothing', async () => {
  for (const [index, length] of [
    [2, chunk],
    [1, chunk],
    [0, chunk + 1],
  ] as const) {
    const receiver = await aReceiver()
    receiver.sayKey()
    await receiver.sendChunk(index, randomBytes(length))

    await expect(settle(receiver.clock, receiver.done)).rejects.toThrow(
      'the other device sent more than it had offered',
    )
    expect(receiver.state.isFinished).toBe(false)
    receiver.stop()
  }
})

test('T210 a chunk or a digest of another transfer, and a second key, change nothing', async () => {
  const receiver = await aReceiver()
  const foreign = toBase64url(new Uint8Array(16).fill(8))
  receiver.sayKey()
  receiver.sayKey(tid, createPortalKey())
  await receiver.sendChunk(0, randomBytes(chunk), foreign)
  await receiver.sendChunk(1, randomBytes(20_000 - chunk), foreign)
  await settle(receiver.clock, receiver.clock.wait(1000))

  expect(receiver.state.bytes).toHaveLength(0)
  const [first, second] = [randomBytes(chunk), randomBytes(20_000 - chunk)]
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', concatBytes(first, second)))
  receiver.say({ type: 'px-digests', tid, f: 0, from: 0, list: [toBase64url(digest)] })
  await receiver.sendChunk(0, first)
  await receiver.sendChunk(1, second)
  await settle(receiver.clock, receiver.clock.wait(1000))
  expect(Buffer.compare(receiver.state.bytes, concatBytes(first, second))).toBe(0)
  expect(receiver.state.isFinished).toBe(false)
  receiver.stop()
})

test('a file whose digests do not add up to what its sender promised is not handed over', async () => {
  const receiver = await aReceiver()
  const [first, second] = [randomBytes(chunk), randomBytes(20_000 - chunk)]
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', concatBytes(first, second)))
  receiver.sayKey()
  receiver.say({ type: 'px-digests', tid, f: 0, from: 0, list: [toBase64url(digest)] })
  await receiver.sendChunk(0, first)
  await receiver.sendChunk(1, second)
  receiver.say({ type: 'px-end', tid, f: 0, chunks: 2, root: toBase64url(new Uint8Array(32)) })

  await expect(settle(receiver.clock, receiver.done)).rejects.toThrow('the file arrived damaged')
  expect(receiver.state.isFinished).toBe(false)
  receiver.stop()
})

test.each<[string, { fileName?: string; originalSize?: number; twice?: boolean; tooMuch?: boolean }]>([
  ['T210 a key for another file', { fileName: 'earlier.txt' }],
  ['T210 a key for another size', { originalSize: 11 }],
  ['T210 a second key', { twice: true }],
  ['T207 more bytes than offered', { tooMuch: true }],
])(
  'by the basic protocol %s stops the transfer and leaves nothing',
  async (_, { fileName, originalSize, twice, tooMuch }) => {
    const { state, sink } = memorySink()
    const offer = { name: 'x.txt', size: 10, mime: '' }
    const receiver = createClassicReceiver({ offer, sink, onProgress: () => undefined })
    const raw = createPortalKey()
    const key = await importPortalKey(raw)
    const message = { type: 'encryption-key', key: writeClassicKey(raw), fileName: 'x.txt', originalSize: 10 } as const

    receiver.takeKey({ ...message, ...(fileName && { fileName }), ...(originalSize && { originalSize }) })
    if (twice) receiver.takeKey(message)
    receiver.takeChunk(await sealPortalRecord(key, randomBytes(10)))
    if (tooMuch) receiver.takeChunk(await sealPortalRecord(key, randomBytes(1)))
    receiver.takeEnd()

    await expect(receiver.done).rejects.toThrow(tooMuch ? 'sent more than it had offered' : 'arrived damaged')
    expect(state).toMatchObject({ isFinished: false, isDiscarded: true })
  },
)

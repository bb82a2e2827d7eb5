import { legacyPortalLimits } from '@sallyport/contract/limits'
import type { Bytes } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { fileOf, runUntilSettled } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import { parseLegacyMessage } from './legacy-messages.ts'
import { createLegacyReceiver } from './legacy-receive.ts'
import { sendLegacyFile } from './legacy-send.ts'

const kilobyte = 1024
const [small, middle] = legacyPortalLimits.classes

test.each([
  ['an empty file', 0, 0],
  ['one byte', 1, 1],
  ['16 KB', 16 * kilobyte, 16 * kilobyte],
  ['10 MB', small.upToBytes, 16 * kilobyte],
  ['10 MB and 1 byte', small.upToBytes + 1, 12 * kilobyte],
  ['50 MB', middle.upToBytes, 12 * kilobyte],
  ['50 MB and 1 byte', middle.upToBytes + 1, 8 * kilobyte],
])('POR-04 legacy protocol: %s is received unchanged, in chunks of its size class', async (_, size, longest) => {
  const clock = createManualClock({ skipUpTo: 15 })
  const [here, there] = createLinkPair({ clock, random: seeded(1) })
  const arrived = new Uint8Array(size)
  const state = { isFinished: false, longest: 0, chunks: 0 }
  const receiver = createLegacyReceiver({
    offer: { name: 'a.bin', size, mime: '' },
    sink: {
      write: async (piece, position) => arrived.set(piece, position),
      async finish() {
        state.isFinished = true
      },
      discard: async () => undefined,
    },
    onProgress: () => undefined,
  })
  there.main.onMessage((data) => {
    if (typeof data !== 'string') {
      state.longest = Math.max(state.longest, data.length - 28)
      state.chunks += 1
      receiver.handleChunk(data)
    }
    const message = typeof data === 'string' ? parseLegacyMessage(data) : null
    if (message?.type === 'encryption-key') receiver.handleKey(message)
    if (message?.type === 'transfer-complete') receiver.handleEnd()
  })
  const bytes = numbered(size)
  const startedAt = clock.now()

  const signal = new AbortController().signal
  await runUntilSettled(
    clock,
    sendLegacyFile({ file: fileOf(bytes), main: here.main, clock, signal, onProgress: () => undefined }),
  )
  await runUntilSettled(clock, receiver.done)

  expect(state).toEqual({ isFinished: true, longest, chunks: longest === 0 ? 0 : Math.ceil(size / longest) })
  expect(Buffer.compare(arrived, bytes)).toBe(0)
  // At least 1 ms passes between chunks.
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(state.chunks - 1)
})

/** Bytes in which no two chunks are equal. */
function numbered(size: number): Bytes {
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at + 4 <= size; at += 4) view.setUint32(at, at)
  bytes.fill(7, size - (size % 4))
  return bytes
}

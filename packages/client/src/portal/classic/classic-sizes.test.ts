import { classicPortalLimits } from '@sallyport/contract/limits'
import type { Bytes } from '@sallyport/crypto/portal'
import { expect, test } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { fileOf, settle } from '../../testing/portal-bytes.ts'
import { createLinkPair, seeded } from '../../testing/portal-link.ts'
import { readClassicMessage } from './classic-messages.ts'
import { createClassicReceiver } from './classic-receive.ts'
import { sendClassic } from './classic-send.ts'

const kilobyte = 1024
const [small, middle] = classicPortalLimits.classes

test.each([
  ['nothing', 0, 0],
  ['one byte', 1, 1],
  ['16 KB', 16 * kilobyte, 16 * kilobyte],
  ['10 MB', small.upToBytes, 16 * kilobyte],
  ['10 MB and a byte', small.upToBytes + 1, 12 * kilobyte],
  ['50 MB', middle.upToBytes, 12 * kilobyte],
  ['50 MB and a byte', middle.upToBytes + 1, 8 * kilobyte],
])(
  'POR-04 by the basic protocol %s arrives byte for byte, in the chunks of its class',
  {
    timeout: 60_000,
  },
  async (_, size, longest) => {
    const clock = createManualClock({ passUpTo: 15 })
    const [here, there] = createLinkPair({ clock, random: seeded(1) })
    const arrived = new Uint8Array(size)
    const state = { isFinished: false, longest: 0, chunks: 0 }
    const receiver = createClassicReceiver({
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
    there.main.listen((data) => {
      if (typeof data !== 'string') {
        state.longest = Math.max(state.longest, data.length - 28)
        state.chunks += 1
        receiver.takeChunk(data)
      }
      const message = typeof data === 'string' ? readClassicMessage(data) : null
      if (message?.type === 'encryption-key') receiver.takeKey(message)
      if (message?.type === 'transfer-complete') receiver.takeEnd()
    })
    const bytes = numbered(size)
    const startedAt = clock.now()

    const signal = new AbortController().signal
    await settle(
      clock,
      sendClassic({ file: fileOf(bytes), main: here.main, clock, signal, onProgress: () => undefined }),
    )
    await settle(clock, receiver.done)

    expect(state).toEqual({ isFinished: true, longest, chunks: longest === 0 ? 0 : Math.ceil(size / longest) })
    expect(Buffer.compare(arrived, bytes)).toBe(0)
    // The pace of the specification, though never slower than that.
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(state.chunks - 1)
  },
)

/** Bytes of which no two chunks are alike. */
function numbered(size: number): Bytes {
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at + 4 <= size; at += 4) view.setUint32(at, at)
  bytes.fill(7, size - (size % 4))
  return bytes
}

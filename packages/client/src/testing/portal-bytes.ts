import type { Bytes } from '@sallyport/crypto/portal'
import type { OutgoingFile } from '../portal/channel.ts'
import type { createManualClock } from './manual-clock.ts'
import { setImmediate } from './next-turn.ts'

export const randomOf = (length: number, random: () => number): Bytes => {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) bytes[index] = Math.floor(random() * 256)
  return bytes
}

export const fileOf = (bytes: Bytes, name = 'a.bin'): OutgoingFile => ({
  name,
  size: bytes.length,
  mime: 'application/octet-stream',
  read: async (start, end) => bytes.slice(start, end),
})

/** Sealing takes time of this machine, which is not the time of the clock here: the clock waits while it is under way. */
let sealing = 0
const counting = [
  'encrypt',
  'decrypt',
  'digest',
  'importKey',
  'generateKey',
  'exportKey',
  'deriveBits',
  'sign',
] as const
for (const name of counting) {
  const original = crypto.subtle[name] as (...given: unknown[]) => Promise<unknown>
  const counted = (...given: unknown[]) => {
    sealing += 1
    return original.apply(crypto.subtle, given).finally(() => {
      sealing -= 1
    })
  }
  Object.defineProperty(crypto.subtle, name, { value: counted })
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function quiet(): Promise<void> {
  for (let calm = 0; calm < 2; calm = sealing > 0 ? 0 : calm + 1) await turn()
}

/** Moves the clock until the work has settled. */
export async function settle<T>(clock: ReturnType<typeof createManualClock>, work: Promise<T>): Promise<T> {
  let isSettled = false
  const watched = work.finally(() => {
    isSettled = true
  })
  watched.catch(() => undefined)
  for (let tries = 0; !isSettled && tries < 20_000; tries += 1) {
    await quiet()
    await clock.advance(100)
  }
  return watched
}

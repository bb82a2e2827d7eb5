import type { Bytes } from '@sallyport/crypto/portal'
import type { OutgoingFile } from '../portal/channel.ts'
import type { createManualClock } from './manual-clock.ts'
import { setImmediate } from './set-immediate.ts'

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

/** WebCrypto operations in progress. They take real time, so the manual clock only advances when there are none. */
let pendingCryptoOperations = 0
const countedMethods = [
  'encrypt',
  'decrypt',
  'digest',
  'importKey',
  'generateKey',
  'exportKey',
  'deriveBits',
  'sign',
] as const
for (const name of countedMethods) {
  const original = crypto.subtle[name] as (...args: unknown[]) => Promise<unknown>
  const countedMethod = (...args: unknown[]) => {
    pendingCryptoOperations += 1
    return original.apply(crypto.subtle, args).finally(() => {
      pendingCryptoOperations -= 1
    })
  }
  Object.defineProperty(crypto.subtle, name, { value: countedMethod })
}
const nextMacrotask = () => new Promise<void>((resolve) => setImmediate(resolve))

async function waitForCrypto(): Promise<void> {
  for (let idleTurns = 0; idleTurns < 2; idleTurns = pendingCryptoOperations > 0 ? 0 : idleTurns + 1)
    await nextMacrotask()
}

/** Advances the clock until the promise has settled. */
export async function runUntilSettled<T>(clock: ReturnType<typeof createManualClock>, work: Promise<T>): Promise<T> {
  let isSettled = false
  const tracked = work.finally(() => {
    isSettled = true
  })
  tracked.catch(() => undefined)
  for (let tries = 0; !isSettled && tries < 20_000; tries += 1) {
    await waitForCrypto()
    await clock.advance(100)
  }
  return tracked
}

import { afterEach, expect, test, vi } from 'vitest'
import { createPacedStream } from './paced-stream.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('FIL-14 a response that waits for the server is never silent for minutes, and its bytes stay in their order', async () => {
  vi.useFakeTimers()
  const paced = createPacedStream()
  const reader = paced.stream.getReader()
  const plain = crypto.getRandomValues(new Uint8Array(20_000))
  const received: number[] = []
  const read = async () => void received.push(...((await reader.read()).value ?? []))

  void paced.write(plain.subarray(0, 10_000))
  await read()
  const before = received.length
  for (let minute = 0; minute < 10; minute += 1) {
    const reading = read()
    await vi.advanceTimersByTimeAsync(60_000)
    await reading
  }
  expect(received.length - before).toBe(10)

  void paced.write(plain.subarray(10_000))
  paced.close()
  while (received.length < plain.length) await read()

  expect(received).toEqual([...plain])
  expect((await reader.read()).done).toBe(true)
})

test('a stream that was cancelled rejects further bytes and runs no timer', async () => {
  vi.useFakeTimers()
  const paced = createPacedStream()
  await paced.write(new Uint8Array(5000))

  await paced.stream.cancel()

  await expect(paced.write(new Uint8Array(5000))).rejects.toMatchObject({ code: 'DOWNLOAD_CANCELLED' })
  expect(vi.getTimerCount()).toBe(0)
})

test('a reader that cancels while the last bytes wait for it has not received them', async () => {
  const paced = createPacedStream()
  const writing = paced.write(new Uint8Array(3 * 1024 * 1024))

  await paced.stream.cancel()

  await expect(writing).rejects.toMatchObject({ code: 'DOWNLOAD_CANCELLED' })
  expect(() => paced.close()).toThrow('DOWNLOAD_CANCELLED')
})

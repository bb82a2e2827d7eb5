import { randomBytes } from '@sallyport/crypto/portal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFastMessage } from './fast-messages.ts'
import { frameHeaderBytes, newFrame, readFrame, stampFrame } from './frame.ts'

test('a frame reads as it was written, and anything shorter or of another version does not', () => {
  const header = { file: 65_535, chunk: 4_294_967_295, attempt: 3 }
  const frame = newFrame(header, 32)
  frame.set(randomBytes(60), frameHeaderBytes)
  stampFrame(frame, 4_294_967_296 + 5)

  expect(frame).toHaveLength(frameHeaderBytes + 60)
  expect(readFrame(frame)).toMatchObject({ ...header, stamp: 5 })
  expect(readFrame(frame)?.sealed).toEqual(frame.subarray(frameHeaderBytes))
  for (let length = 0; length < 44; length += 1) expect(readFrame(frame.slice(0, length))).toBe(null)
  expect(readFrame(new Uint8Array([2, ...frame.subarray(1)]))).toBe(null)
  expect(() => newFrame({ ...header, file: 65_536 }, 0)).toThrow(RangeError)
})

test('10,000 random frames and texts are read or refused, never thrown at', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.json(), (bytes, json) => {
      readFrame(new Uint8Array(bytes))
      expect(readFastMessage(json)?.type ?? 'none').toMatch(/^(none|px-)/)
      expect(readFastMessage(json.slice(1))).toBe(null)
    }),
    { numRuns: 10_000 },
  )
})

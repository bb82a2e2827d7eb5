import { randomBytes } from '@sallyport/crypto/portal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFastMessage } from './fast-messages.ts'
import { allocateFrame, frameHeaderBytes, parseFrame, stampFrame } from './frame.ts'

test('a frame is parsed as written; shorter bytes and other versions are rejected', () => {
  const header = { file: 65_535, chunk: 4_294_967_295, attempt: 3 }
  const frame = allocateFrame(header, 32)
  frame.set(randomBytes(60), frameHeaderBytes)
  stampFrame(frame, 4_294_967_296 + 5)

  expect(frame).toHaveLength(frameHeaderBytes + 60)
  expect(parseFrame(frame)).toMatchObject({ ...header, stamp: 5 })
  expect(parseFrame(frame)?.sealed).toEqual(frame.subarray(frameHeaderBytes))
  for (let length = 0; length < 44; length += 1) expect(parseFrame(frame.slice(0, length))).toBe(null)
  expect(parseFrame(new Uint8Array([2, ...frame.subarray(1)]))).toBe(null)
  expect(() => allocateFrame({ ...header, file: 65_536 }, 0)).toThrow(RangeError)
})

test('10,000 random frames and texts are parsed or rejected without throwing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.json(), (bytes, json) => {
      parseFrame(new Uint8Array(bytes))
      expect(parseFastMessage(json)?.type ?? 'none').toMatch(/^(none|px-)/)
      expect(parseFastMessage(json.slice(1))).toBe(null)
    }),
    { numRuns: 10_000 },
  )
})

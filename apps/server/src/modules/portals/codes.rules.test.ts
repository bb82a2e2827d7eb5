import { portalRoomLimits } from '@sallyport/contract/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawCode, findCode, lookUpCodePrefix } from './codes.rules.ts'

const drawOf = (seed: number) => {
  let state = seed >>> 0
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('POR-03 typed digits identify one room, whatever rooms open and close', () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.constantFrom<1 | 2 | 0>(1, 2, 2, 0), { maxLength: 300 }), (seed, steps) => {
      const draw = drawOf(seed)
      const taken = new Set<string>()
      for (const step of steps) {
        const code = step === 0 ? null : drawCode(taken, step, draw)
        if (code !== null) taken.add(code)
        else for (const first of [...taken].slice(0, 1)) taken.delete(first)
      }
      for (const code of taken) {
        expect(code).toMatch(/^[1-9](\d|\d{3}|\d{5})$/)
        if (code.length === 4) continue
        expect([...taken].filter((other) => other.length !== 4 && other.startsWith(code))).toEqual([code])
        expect(findCode(taken, code.padEnd(6, '7'))).toBe(code)
      }
    }),
    { numRuns: 60 },
  )
})

test('from the 61st verified room on prefixes have 4 digits, and a legacy room still gets a code', () => {
  const draw = drawOf(7)
  const taken = new Set<string>()
  for (let room = 0; room < 500; room += 1) taken.add(drawCode(taken, 2, draw) ?? '')

  const lengths = [...taken].map(({ length }) => length)

  expect(lengths.filter((length) => length === 2)).toHaveLength(portalRoomLimits.shortPrefixes)
  expect(lengths.filter((length) => length === 4)).toHaveLength(500 - portalRoomLimits.shortPrefixes)
  expect(drawCode(taken, 1, draw)).toMatch(/^\d{6}$/)
})

test('a verified room gets 4 digits when legacy rooms use every 2', () => {
  const taken = new Set(Array.from({ length: 90 }, (_, index) => `${10 + index}0000`))

  expect(drawCode(taken, 2, drawOf(3))).toMatch(/^\d{4}$/)
})

test('a prefix reveals the kind of room and nothing else', () => {
  const taken = new Set(['48', '5130', '517204', '620931'])

  expect(lookUpCodePrefix(taken, '48')).toBe('v2')
  expect(lookUpCodePrefix(taken, '5130')).toBe('v2')
  expect(lookUpCodePrefix(taken, '51')).toBe('classic')
  expect(lookUpCodePrefix(taken, '5172')).toBe(null)
  expect(lookUpCodePrefix(taken, '62')).toBe('classic')
  expect(lookUpCodePrefix(taken, '77')).toBe(null)
  expect(findCode(taken, '513012')).toBe(null)
  expect(findCode(taken, '620932')).toBe(null)
})

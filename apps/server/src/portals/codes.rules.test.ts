import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeReachedBy, drawCode, locate } from './codes.rules.ts'

const drawOf = (seed: number) => {
  let state = seed >>> 0
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('POR-03 no code is the beginning of another one, whatever rooms open and close', () => {
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
        expect(code).toMatch(/^[1-9]\d{1,5}$/)
        expect([...taken].filter((other) => other.startsWith(code))).toEqual([code])
        expect(codeReachedBy(taken, code.padEnd(6, '7'))).toBe(code)
      }
    }),
    { numRuns: 60 },
  )
})

test('once half of the short codes are taken, the next ones have three digits', () => {
  const draw = drawOf(7)
  const taken = new Set<string>()
  for (let room = 0; room < 60; room += 1) taken.add(drawCode(taken, 2, draw) ?? '')

  const lengths = [...taken].map(({ length }) => length)

  expect(lengths.filter((length) => length === 2)).toHaveLength(46)
  expect(lengths.filter((length) => length === 3)).toHaveLength(14)
})

test('the first digits say what lies behind them and nothing more', () => {
  const taken = new Set(['48', '513', '517204', '620931'])

  expect(locate(taken, '48')).toBe('v2')
  expect(locate(taken, '51')).toBe('more')
  expect(locate(taken, '513')).toBe('v2')
  expect(locate(taken, '517')).toBe('classic')
  expect(locate(taken, '62')).toBe('classic')
  expect(locate(taken, '77')).toBe(null)
  expect(codeReachedBy(taken, '620932')).toBe(null)
})

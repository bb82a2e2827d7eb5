import { afterEach, expect, test, vi } from 'vitest'
import { ignore } from './ignore.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const recordWarnings = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined)

const errorOf = (fail: () => unknown): unknown => {
  try {
    return fail()
  } catch (error) {
    return error
  }
}

test('ignored errors are printed only while debugging is switched on', () => {
  const warnings = recordWarnings()
  vi.stubEnv('DEBUG', '')
  ignore(new Error('closed'), 'the socket was already closed')
  expect(warnings).not.toHaveBeenCalled()

  vi.stubEnv('DEBUG', 'other,sallyport')
  ignore(new Error('closed'), 'the socket was already closed')
  expect(warnings.mock.calls[0]?.[0]).toBe('sallyport: ignored, the socket was already closed:')
})

test('a page without a process is debugged by its storage, and may block that storage', () => {
  const warnings = recordWarnings()
  vi.stubGlobal('process', undefined)
  vi.stubGlobal('localStorage', { debug: 'sallyport' })
  ignore(new Error('closed'), 'the tab closes')
  expect(warnings).toHaveBeenCalledTimes(1)

  vi.stubGlobal('localStorage', {
    get debug(): string {
      throw new DOMException('blocked', 'SecurityError')
    },
  })
  ignore(new Error('closed'), 'the tab closes')
  expect(warnings).toHaveBeenCalledTimes(1)
})

test('a printed error shows its name, code and frames, and nothing of the input that it quotes', () => {
  const warnings = recordWarnings()
  vi.stubEnv('DEBUG', '*')
  ignore(
    errorOf(() => JSON.parse('secret')),
    'stored by an older version',
  )
  ignore(
    errorOf(() => new URL('secret')),
    'typed by the user',
  )
  ignore('secret', 'thrown by a library')

  const printed = warnings.mock.calls.map(([, text]) => String(text))
  expect(printed[0]).toMatch(/^SyntaxError\n {4}at /)
  expect(printed[1]).toMatch(/^TypeError ERR_INVALID_URL\n {4}at /)
  expect(printed[2]).toBe('string')
  expect(printed.join()).not.toContain('secret')
})

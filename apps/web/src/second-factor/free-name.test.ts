import { expect, test } from 'vitest'
import { freeName } from './enrol-dialog.tsx'

test('a second step of a name that is taken is given a number (ACC-18)', () => {
  expect(freeName('My phone', [])).toBe('My phone')
  expect(freeName('My phone', ['My phone', 'My phone 2'])).toBe('My phone 3')
})

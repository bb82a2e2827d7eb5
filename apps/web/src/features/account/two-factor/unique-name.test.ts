import { expect, test } from 'vitest'
import { uniqueName } from './enrol-dialog.tsx'

test('a factor whose name is taken gets a number (ACC-18)', () => {
  expect(uniqueName('My phone', [])).toBe('My phone')
  expect(uniqueName('My phone', ['My phone', 'My phone 2'])).toBe('My phone 3')
})

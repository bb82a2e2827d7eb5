import { expect, test } from 'vitest'
import { selectTests } from './select-tests.ts'

const journeys = [
  'e2e/tests/account/devices.spec.ts',
  'e2e/tests/account/sign-in.spec.ts',
  'e2e/tests/chat/chat.spec.ts',
  'e2e/tests/chat/chat-errors.spec.ts',
]

test('a change in one feature selects its unit tests, and the end-to-end tests that share a word with its path', () => {
  const page = selectTests(['apps/web/src/features/account/devices/device-list.tsx'], journeys)
  const server = selectTests(['apps/server/src/modules/accounts/devices/devices.store.ts'], journeys)

  expect(page.journeyFiles).toEqual(['e2e/tests/account/devices.spec.ts'])
  expect(server).toEqual(page)
  expect(page.unitFolders).toContain('server/src/modules/accounts')
  expect(page.unitFolders).not.toContain('features/chat')
  expect(page.isShared).toBe(false)
})

test('a change whose path shares no word with an end-to-end test selects all of its feature', () => {
  const { journeyFiles } = selectTests(['apps/server/src/modules/chat/messages.store.ts'], journeys)

  expect(journeyFiles).toEqual(['e2e/tests/chat/chat-errors.spec.ts', 'e2e/tests/chat/chat.spec.ts'])
})

test('a changed end-to-end test selects itself, and a document nothing', () => {
  expect(selectTests(['e2e/tests/chat/chat.spec.ts', 'README.md'], journeys)).toMatchObject({
    journeyFiles: ['e2e/tests/chat/chat.spec.ts'],
    isShared: false,
  })
})

test('a change in shared code selects unit tests by their imports alone', () => {
  const selected = selectTests(['packages/contract/src/limits.ts', 'e2e/tests/chat/chat.spec.ts'], journeys)

  expect(selected).toEqual({ unitFolders: [], journeyFiles: ['e2e/tests/chat/chat.spec.ts'], isShared: true })
})

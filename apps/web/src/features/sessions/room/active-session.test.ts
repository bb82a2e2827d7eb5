import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { readActiveSession, saveActiveSession } from './active-session.ts'

const createStorages = () => ({ local: createMemoryStorage(), tab: createMemoryStorage() })
const active = {
  sessionId: '00000000-0000-4000-8000-000000000001',
  sessionPin: '482910',
  keyMode: 'secret',
  participantToken: 'token',
  linkSecret: 'secret',
  senderId: 'sender',
} as const

test('SES-11 active session: the key mode is stored for every tab, and the link secret only for its own', () => {
  const storages = createStorages()
  saveActiveSession(storages, active)

  const otherTab = readActiveSession({ local: storages.local, tab: createMemoryStorage() })

  expect(readActiveSession(storages)).toEqual(active)
  expect(otherTab).toEqual({ ...active, participantToken: null, linkSecret: null, senderId: null })
  expect(storages.local.getItem('activeSession')).not.toContain('"linkSecret"')
})

test('active session: a stored session without a key mode is read with an unknown mode', () => {
  const storages = createStorages()
  const { sessionId, sessionPin } = active
  storages.local.setItem('activeSession', JSON.stringify({ sessionId, sessionPin }))

  expect(readActiveSession(storages)).toMatchObject({ sessionId, sessionPin, keyMode: null })
})

test('active session: a stored session with an invalid key mode is ignored', () => {
  const storages = createStorages()
  const { sessionId, sessionPin } = active
  storages.local.setItem('activeSession', JSON.stringify({ sessionId, sessionPin, keyMode: 'open' }))

  expect(readActiveSession(storages)).toBeNull()
})

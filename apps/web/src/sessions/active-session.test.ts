import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { keepActiveSession, readActiveSession } from './active-session.ts'

const aPlace = () => ({ local: createMemoryStorage(), tab: createMemoryStorage() })
const active = {
  sessionId: '00000000-0000-4000-8000-000000000001',
  sessionPin: '482910',
  keyMode: 'secret',
  participantToken: 'token',
  linkSecret: 'secret',
  senderId: 'sender',
} as const

test('SES-11 a stored session keeps its key mode for every tab, and its link secret in its own tab', () => {
  const places = aPlace()
  keepActiveSession(places, active)

  const otherTab = readActiveSession({ local: places.local, tab: createMemoryStorage() })

  expect(readActiveSession(places)).toEqual(active)
  expect(otherTab).toEqual({ ...active, participantToken: null, linkSecret: null, senderId: null })
  expect(places.local.getItem('activeSession')).not.toContain('"linkSecret"')
})

test('a stored session without a key mode is read as one whose mode is not known', () => {
  const places = aPlace()
  const { sessionId, sessionPin } = active
  places.local.setItem('activeSession', JSON.stringify({ sessionId, sessionPin }))

  expect(readActiveSession(places)).toMatchObject({ sessionId, sessionPin, keyMode: null })
})

test('a stored session with an unknown key mode is not read', () => {
  const places = aPlace()
  const { sessionId, sessionPin } = active
  places.local.setItem('activeSession', JSON.stringify({ sessionId, sessionPin, keyMode: 'open' }))

  expect(readActiveSession(places)).toBeNull()
})

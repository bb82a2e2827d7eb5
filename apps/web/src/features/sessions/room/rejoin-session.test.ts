import { createSessionCaller, sessionId } from '@sallyport/client/testing/session-answers'
import type { KeyMode } from '@sallyport/contract/session-shapes'
import { toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { rejoinSession } from '../session-operations.ts'
import type { ActiveSession } from './active-session.ts'

const storedSession = (overrides: Partial<ActiveSession>): ActiveSession => ({
  sessionId,
  sessionPin: '482910',
  keyMode: null,
  participantToken: 'T'.repeat(43),
  linkSecret: null,
  senderId: null,
  ...overrides,
})
const openChannel = () => new BroadcastChannel(crypto.randomUUID())
const linkSecret = toBase64url(new Uint8Array(16).fill(5))

test.each<readonly [string, Partial<ActiveSession>, KeyMode]>([
  ['a private session as pin2', { keyMode: 'secret', linkSecret }, 'pin2'],
  ['a private session as pin', { keyMode: 'secret', linkSecret }, 'pin'],
  ['a private session that was stored without a mode', { linkSecret }, 'pin2'],
  ['a PIN session as pin', { keyMode: 'pin2' }, 'pin'],
  ['a PIN session in another tab as pin', { keyMode: 'pin2', participantToken: null }, 'pin'],
  ['a private session in another tab as pin2', { keyMode: 'secret', participantToken: null }, 'pin2'],
])('SES-11 rejoining a stored session: %s is rejected', async (_what, active, key_mode) => {
  const { call } = createSessionCaller({ key_mode })

  await expect(rejoinSession(call, storedSession(active), openChannel)).rejects.toMatchObject({
    code: 'KEY_MODE_MISMATCH',
  })
})

test.each([
  ['in the same tab', 'T'.repeat(43)],
  ['in another tab', null],
])('rejoining a session %s is rejected when the server returns another session', async (_where, participantToken) => {
  const { call } = createSessionCaller({ id: '00000000-0000-4000-8000-000000000002' })

  await expect(
    rejoinSession(call, storedSession({ keyMode: 'pin2', participantToken }), openChannel),
  ).rejects.toMatchObject({
    code: 'SESSION_MISMATCH',
  })
})

test('SES-11 rejoining a session keeps the stored key mode', async () => {
  const { call } = createSessionCaller({ key_mode: 'secret' })

  const entered = await rejoinSession(call, storedSession({ keyMode: 'secret', linkSecret }), openChannel)

  expect(entered).toMatchObject({ keyMode: 'secret', pin: '482910' })
})

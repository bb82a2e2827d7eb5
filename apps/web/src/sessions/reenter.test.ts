import { answerSessions, sessionId } from '@sallyport/client/testing/session-answers'
import type { KeyMode } from '@sallyport/contract/session-shapes'
import { toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import type { ActiveSession } from './active-session.ts'
import { reenter } from './ways.ts'

const stored = (changed: Partial<ActiveSession>): ActiveSession => ({
  sessionId,
  sessionPin: '482910',
  keyMode: null,
  participantToken: 'T'.repeat(43),
  linkSecret: null,
  senderId: null,
  ...changed,
})
const linkSecret = toBase64url(new Uint8Array(16).fill(5))

test.each<readonly [string, Partial<ActiveSession>, KeyMode]>([
  ['a private session as pin2', { keyMode: 'secret', linkSecret }, 'pin2'],
  ['a private session as pin', { keyMode: 'secret', linkSecret }, 'pin'],
  ['a private session that was stored without a mode', { linkSecret }, 'pin2'],
  ['a PIN session as pin', { keyMode: 'pin2' }, 'pin'],
  ['a PIN session in another tab as pin', { keyMode: 'pin2', participantToken: null }, 'pin'],
  ['a private session in another tab as pin2', { keyMode: 'secret', participantToken: null }, 'pin2'],
])('SES-11 going back into %s is refused', async (_what, active, key_mode) => {
  const { call } = answerSessions({ key_mode })

  await expect(reenter(call, stored(active))).rejects.toMatchObject({ code: 'KEY_MODE_MISMATCH' })
})

test.each([
  ['in the same tab', 'T'.repeat(43)],
  ['in another tab', null],
])('going back into a session %s is refused when another session is answered', async (_where, participantToken) => {
  const { call } = answerSessions({ id: '00000000-0000-4000-8000-000000000002' })

  await expect(reenter(call, stored({ keyMode: 'pin2', participantToken }))).rejects.toMatchObject({
    code: 'SESSION_MISMATCH',
  })
})

test('SES-11 going back into a session keeps the mode that is stored', async () => {
  const { call } = answerSessions({ key_mode: 'secret' })

  const entered = await reenter(call, stored({ keyMode: 'secret', linkSecret }))

  expect(entered).toMatchObject({ keyMode: 'secret', pin: '482910' })
})

import type { KeyMode } from '@sallyport/contract/session-shapes'
import { createLinkSecret, toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { answeredSession, answerSessions } from '../testing/session-answers.ts'
import { createSession, joinSession } from './enter-session.ts'
import { openSessionPlace } from './session-keys.ts'

const pin = '482910'
const mismatch = { name: 'SessionError', code: 'KEY_MODE_MISMATCH' }

test.each<KeyMode>(['pin', 'pin2'])(
  'SES-11 the creator of a private session refuses the answered key mode %s',
  async (key_mode) => {
    const { call } = answerSessions({ key_mode })

    await expect(createSession(call, { isPrivate: true, expirationMinutes: 10 })).rejects.toMatchObject(mismatch)
  },
)

test.each<KeyMode>(['pin', 'secret'])(
  'SES-11 the creator of a PIN session refuses the answered key mode %s',
  async (key_mode) => {
    const { call } = answerSessions({ key_mode })

    await expect(createSession(call, { isPrivate: false, expirationMinutes: 10 })).rejects.toMatchObject(mismatch)
  },
)

test.each<KeyMode>(['pin', 'pin2'])(
  'SES-11 the holder of a private invite link refuses the answered key mode %s',
  async (key_mode) => {
    const { call } = answerSessions({ key_mode })

    await expect(joinSession(call, { pin, linkSecret: createLinkSecret() })).rejects.toMatchObject(mismatch)
  },
)

test.each<readonly [KeyMode, KeyMode]>([
  ['pin2', 'pin'],
  ['pin2', 'secret'],
  ['pin', 'pin2'],
  ['secret', 'pin2'],
  ['secret', 'pin'],
])(
  'SES-11 entering a stored session of mode %s again refuses the answered key mode %s',
  async (expectedMode, key_mode) => {
    const { call } = answerSessions({ key_mode })

    await expect(joinSession(call, { pin, linkSecret: null, expectedMode })).rejects.toMatchObject(mismatch)
  },
)

test.each<KeyMode>(['pin', 'pin2'])(
  'SES-11 joining by PIN takes the mode %s, which the server can read',
  async (key_mode) => {
    const { call } = answerSessions({ key_mode })

    const entered = await joinSession(call, { pin, linkSecret: null })

    expect(entered.keyMode).toBe(key_mode)
    expect((await openSessionPlace(entered))?.root).toHaveLength(32)
  },
)

test('SES-11 joining a private session by PIN derives no key', async () => {
  const { call } = answerSessions({ key_mode: 'secret' })

  const entered = await joinSession(call, { pin, linkSecret: null })

  expect(entered.keyMode).toBe('secret')
  expect(await openSessionPlace(entered)).toBeNull()
})

test('SES-11 a link secret never goes with a key mode other than secret', async () => {
  const session = answeredSession({ key_mode: 'secret' })
  const linkSecret = createLinkSecret()

  for (const keyMode of ['pin', 'pin2'] as const) {
    await expect(openSessionPlace({ pin, session, keyMode, linkSecret })).rejects.toMatchObject(mismatch)
  }
})

test('SES-11 the key follows from the mode that the client holds, not from the mode that is answered later', async () => {
  const { call, sent } = answerSessions({ key_mode: 'secret' })
  const entered = await createSession(call, { isPrivate: true, expirationMinutes: 10 })
  const place = await openSessionPlace(entered)

  for (const key_mode of ['pin', 'pin2'] as const) {
    const session = answeredSession({ key_mode })
    expect((await openSessionPlace({ ...entered, session }))?.root).toEqual(place?.root)
  }
  expect(sent.join()).not.toContain(toBase64url(entered.linkSecret ?? new Uint8Array(1)))
})

test('SES-11 a share of the key that is missing or all zero is refused', async () => {
  for (const key_share of [null, '', 'A'.repeat(43), toBase64url(new Uint8Array(31).fill(1))]) {
    const { call } = answerSessions({ key_mode: 'pin2', key_share })
    const entered = await joinSession(call, { pin, linkSecret: null })

    await expect(openSessionPlace(entered)).rejects.toMatchObject({ code: 'malformed' })
  }
})

import type { KeyMode } from '@sallyport/contract/session-shapes'
import { createLinkSecret, toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createSessionCaller, sessionAnswer } from '../testing/session-answers.ts'
import { createSession, joinSession } from './join-session.ts'
import { openSessionContext } from './session-keys.ts'

const pin = '482910'
const mismatch = { name: 'ClientError', code: 'KEY_MODE_MISMATCH' }

test.each<KeyMode>(['pin', 'pin2'])(
  'SES-11 the creator of a private session rejects the key mode %s',
  async (key_mode) => {
    const { call } = createSessionCaller({ key_mode })

    await expect(createSession(call, { isPrivate: true, expirationMinutes: 10 })).rejects.toMatchObject(mismatch)
  },
)

test.each<KeyMode>(['pin', 'secret'])(
  'SES-11 the creator of a PIN session rejects the key mode %s',
  async (key_mode) => {
    const { call } = createSessionCaller({ key_mode })

    await expect(createSession(call, { isPrivate: false, expirationMinutes: 10 })).rejects.toMatchObject(mismatch)
  },
)

test.each<KeyMode>(['pin', 'pin2'])(
  'SES-11 the holder of a private invite link rejects the key mode %s',
  async (key_mode) => {
    const { call } = createSessionCaller({ key_mode })

    await expect(joinSession(call, { pin, linkSecret: createLinkSecret() })).rejects.toMatchObject(mismatch)
  },
)

test.each<readonly [KeyMode, KeyMode]>([
  ['pin2', 'pin'],
  ['pin2', 'secret'],
  ['pin', 'pin2'],
  ['secret', 'pin2'],
  ['secret', 'pin'],
])('SES-11 rejoining a stored session of mode %s rejects the key mode %s', async (expectedMode, key_mode) => {
  const { call } = createSessionCaller({ key_mode })

  await expect(joinSession(call, { pin, linkSecret: null, expectedMode })).rejects.toMatchObject(mismatch)
})

test.each<KeyMode>(['pin', 'pin2'])(
  'SES-11 joining by PIN accepts the mode %s, which the server can read',
  async (key_mode) => {
    const { call } = createSessionCaller({ key_mode })

    const joined = await joinSession(call, { pin, linkSecret: null })

    expect(joined.keyMode).toBe(key_mode)
    expect((await openSessionContext(joined))?.root).toHaveLength(32)
  },
)

test('SES-11 joining a private session by PIN derives no key', async () => {
  const { call } = createSessionCaller({ key_mode: 'secret' })

  const joined = await joinSession(call, { pin, linkSecret: null })

  expect(joined.keyMode).toBe('secret')
  expect(await openSessionContext(joined)).toBeNull()
})

test('SES-11 a link secret is never combined with a key mode other than secret', async () => {
  const session = sessionAnswer({ key_mode: 'secret' })
  const linkSecret = createLinkSecret()

  for (const keyMode of ['pin', 'pin2'] as const) {
    await expect(openSessionContext({ pin, session, keyMode, linkSecret })).rejects.toMatchObject(mismatch)
  }
})

test('SES-11 the key follows from the mode that the client has stored, not from later responses', async () => {
  const { call, sent } = createSessionCaller({ key_mode: 'secret' })
  const joined = await createSession(call, { isPrivate: true, expirationMinutes: 10 })
  const context = await openSessionContext(joined)

  for (const key_mode of ['pin', 'pin2'] as const) {
    const session = sessionAnswer({ key_mode })
    expect((await openSessionContext({ ...joined, session }))?.root).toEqual(context?.root)
  }
  expect(sent.join()).not.toContain(toBase64url(joined.linkSecret ?? new Uint8Array(1)))
})

test('SES-11 a missing or all-zero key share is rejected', async () => {
  for (const key_share of [null, '', 'A'.repeat(43), toBase64url(new Uint8Array(31).fill(1))]) {
    const { call } = createSessionCaller({ key_mode: 'pin2', key_share })
    const joined = await joinSession(call, { pin, linkSecret: null })

    await expect(openSessionContext(joined)).rejects.toMatchObject({ code: 'malformed' })
  }
})

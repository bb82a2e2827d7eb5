import { expect, test } from 'vitest'
import { createKey } from './secret.ts'
import { createLinkSecret, derivePinKey, deriveSessionKey } from './session-key.ts'

const createSession = () => ({
  pin: '482910',
  sessionId: 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10',
  share: createKey(),
  linkSecret: createLinkSecret(),
})

test('each mode derives a different key, deterministically', async () => {
  const session = createSession()
  const modes = ['pin', 'pin2', 'secret'] as const
  const derive = () => Promise.all(modes.map((mode) => deriveSessionKey({ ...session, mode })))

  const keys = await derive()

  expect(new Set(keys.map((key) => key.toHex())).size).toBe(3)
  expect(await derive()).toEqual(keys)
  expect(keys[0]).toEqual(await derivePinKey(session.pin))
})

test('the share, the link secret, the session id and the PIN each change the key', async () => {
  const session = { ...createSession(), mode: 'secret' } as const
  const variations = [
    session,
    { ...session, share: createKey() },
    { ...session, linkSecret: createLinkSecret() },
    { ...session, sessionId: 'another' },
    { ...session, pin: '482911' },
  ]

  const keys = await Promise.all(variations.map((sources) => deriveSessionKey(sources)))

  expect(new Set(keys.map((key) => key.toHex())).size).toBe(variations.length)
})

test.each(['', '12345', '1234567', '12345a', ' 12345', '-12345', '1234.5'])('%j is not a PIN', async (pin) => {
  await expect(derivePinKey(pin)).rejects.toMatchObject({ code: 'malformed' })
})

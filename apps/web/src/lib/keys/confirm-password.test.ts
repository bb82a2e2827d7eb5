import type { Call } from '@sallyport/client/call'
import { deriveLoginSecrets, toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { confirmPassword } from './confirm-password.ts'
import { storeProfile } from './login-profile.ts'

const identifier = { email: 'ann@example.org' }
const password = 'correct horse battery staple'

/** A server that offers one profile and accepts every credential. */
function startServer(profile: 1 | 2) {
  const credentials: string[] = []
  const call = (async ({ path }: { path: string }, { body }: { body: { password: string } }) => {
    if (path === '/api/auth/prelogin') {
      return { success: true, salt: toBase64url(new Uint8Array(16).fill(7)), profiles: [profile] }
    }
    credentials.push(body.password)
    return { success: true, freshForMs: 1 }
  }) as unknown as Call
  return { call, credentials }
}

test.each([
  ['has used the stronger profile for the account', 2, signInStrings.weakerProfile],
  ['has used no profile for the account', null, signInStrings.weakerProfileOffered],
] as const)(
  'T032 confirming a password sends nothing to a server that offers the weaker profile when the device %s',
  async (_, remembered, text) => {
    const { call, credentials } = startServer(1)
    const storage = createMemoryStorage()
    if (remembered) await storeProfile(remembered, identifier, storage)

    const confirmed = confirmPassword(
      { call, storage, deriveSecrets: deriveLoginSecrets },
      { holder: identifier, password },
    )

    await expect(confirmed).rejects.toThrow(text)
    expect(credentials).toEqual([])
  },
)

test.each([1, 2] as const)(
  'a password is confirmed with profile %i, which the device uses for the account',
  async (profile) => {
    const { call, credentials } = startServer(profile)
    const storage = createMemoryStorage()
    await storeProfile(profile, identifier, storage)

    await confirmPassword({ call, storage, deriveSecrets: deriveLoginSecrets }, { holder: identifier, password })

    expect(credentials).toEqual([expect.stringMatching(new RegExp(`^Zk${profile}\\.`))])
  },
)

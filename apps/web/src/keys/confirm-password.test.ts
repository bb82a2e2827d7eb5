import type { Call } from '@sallyport/client/call'
import { deriveLoginSecrets, toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { signInWords } from '#/words/sign-in.ts'
import { confirmPassword } from './confirm-password.ts'
import { rememberProfile } from './login-profile.ts'

const holder = { email: 'ann@example.org' }
const password = 'correct horse battery staple'

/** A server that names one profile and accepts every credential. */
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
  ['has used the stronger profile for the account', 2, signInWords.weakerProfile],
  ['has used no profile for the account', null, signInWords.weakerOffered],
] as const)(
  'T032 confirming a password sends nothing to a server that names the weaker profile, when the device %s',
  async (_, remembered, text) => {
    const { call, credentials } = startServer(1)
    const storage = createMemoryStorage()
    if (remembered) await rememberProfile(remembered, holder, storage)

    const confirmed = confirmPassword({ call, storage, deriveSecrets: deriveLoginSecrets }, { holder, password })

    await expect(confirmed).rejects.toThrow(text)
    expect(credentials).toEqual([])
  },
)

test.each([1, 2] as const)(
  'a password is confirmed by profile %i, which the device uses for the account',
  async (profile) => {
    const { call, credentials } = startServer(profile)
    const storage = createMemoryStorage()
    await rememberProfile(profile, holder, storage)

    await confirmPassword({ call, storage, deriveSecrets: deriveLoginSecrets }, { holder, password })

    expect(credentials).toEqual([expect.stringMatching(new RegExp(`^Zk${profile}\\.`))])
  },
)

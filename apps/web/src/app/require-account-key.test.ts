import { createSubject } from '@sallyport/client/observable'
import { createAccountKey, importRoot } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import type { AuthState } from '#/api/auth.ts'
import { requireAccountKey } from './require-account-key.ts'

const signedIn: AuthState = { phase: 'signed-in', account: { id: 'u1', email: 'mara@example.org' } }
const accountKey = await importRoot(createAccountKey())

const held = (phase: AuthState, token: string | null, isOpen = true) =>
  requireAccountKey({
    auth: { state: createSubject(phase), accessToken: async () => token },
    keyRing: { state: createSubject(isOpen ? { phase: 'open', userId: 'u1', accountKey } : { phase: 'locked' }) },
  })

test('FIL-09 an upload needs a sign-in, the key and a session, and says which of them is missing', async () => {
  await expect(held({ phase: 'signed-out' }, null)).rejects.toThrow('Please log in to upload files')
  await expect(held(signedIn, 'token', false)).rejects.toThrow('No master key found - please log in again')
  await expect(held(signedIn, null)).rejects.toThrow('No session ID provided - please log in again')
  await expect(held(signedIn, 'token')).resolves.toBe(accountKey)
})

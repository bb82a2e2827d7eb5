import { createSubject } from '@sallyport/client/observable'
import { createAccountKey, importRootKey } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import type { AuthSessionState } from '#/lib/api/auth.ts'
import { requireAccountKey } from './require-account-key.ts'

const signedIn: AuthSessionState = { phase: 'signed-in', account: { id: 'u1', email: 'mara@example.org' } }
const accountKey = await importRootKey(createAccountKey())

const requireWith = (phase: AuthSessionState, token: string | null, isOpen = true) =>
  requireAccountKey({
    auth: { state: createSubject(phase), accessToken: async () => token },
    keyRing: { state: createSubject(isOpen ? { phase: 'open', userId: 'u1', accountKey } : { phase: 'locked' }) },
  })

test('FIL-09 an upload needs an account, the key and a valid token, and reports which one is missing', async () => {
  await expect(requireWith({ phase: 'signed-out' }, null)).rejects.toThrow('Please log in to upload files')
  await expect(requireWith(signedIn, 'token', false)).rejects.toThrow('No master key found - please log in again')
  await expect(requireWith(signedIn, null)).rejects.toThrow('No session ID provided - please log in again')
  await expect(requireWith(signedIn, 'token')).resolves.toBe(accountKey)
})

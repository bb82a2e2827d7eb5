import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createAuthClient, createPassingClient } from './auth-client.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['for this browser', createAuthClient],
  ['for an email link', createPassingClient],
])('the client %s follows no redirect of the provider, which would forward a credential', async (_, createClient) => {
  vi.stubGlobal('localStorage', createMemoryStorage())
  const redirects: unknown[] = []
  vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
    redirects.push(init.redirect)
    throw new TypeError('Failed to fetch')
  })
  const client = createClient({ url: 'https://files.example/auth/v1', publishableKey: '' })

  await client.verifyOtp({ type: 'email', token_hash: 'mailed' })
  await client.stopAutoRefresh()

  expect(new Set(redirects)).toEqual(new Set(['error']))
})

import { NetworkError } from '@sallyport/client/errors'
import type { GoTrueClient } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { emailChangeStrings } from '#/strings/account/email-change.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { changeEmail } from './change-email.ts'

const request = { email: 'new@example.org', current: 'Zk2.current' }
const lostAnswer = Object.assign(new Error('Failed to fetch'), { name: 'AuthRetryableFetchError' })

/** A provider that loses the answer to the change, and returns this user when asked; null if it cannot be reached. */
function startProvider(user: { email: string; new_email?: string } | null) {
  const asked = { users: 0, refreshes: 0 }
  const provider = {
    updateUser: async () => ({ data: { user: null }, error: lostAnswer }),
    async getUser() {
      asked.users += 1
      return user ? { data: { user }, error: null } : { data: { user: null }, error: lostAnswer }
    },
    async refreshSession() {
      asked.refreshes += 1
    },
  } as unknown as GoTrueClient
  const deps = { auth: { provider: async () => provider }, clock: { now: () => 0, wait: async () => undefined } }
  return { deps, asked }
}

test('an email change whose answer is lost succeeds if the server has the new address', async () => {
  const { deps, asked } = startProvider({ email: 'new@example.org' })

  expect(await changeEmail(deps, request)).toBe('done')
  expect(asked).toEqual({ users: 1, refreshes: 1 })
})

test('an email change whose answer is lost needs confirmation if the server has it pending', async () => {
  const { deps, asked } = startProvider({ email: 'old@example.org', new_email: 'new@example.org' })

  expect(await changeEmail(deps, request)).toBe('confirmation')
  expect(asked).toEqual({ users: 1, refreshes: 0 })
})

test('an email change that the server has not received asks to try again', async () => {
  const { deps } = startProvider({ email: 'old@example.org' })

  await expect(changeEmail(deps, request)).rejects.toEqual(new UserFacingError(emailChangeStrings.notChanged))
})

test('an email change whose answer is lost reports a server that cannot be reached after five requests', async () => {
  const { deps, asked } = startProvider(null)

  await expect(changeEmail(deps, request)).rejects.toBeInstanceOf(NetworkError)
  expect(asked.users).toBe(5)
})

import type { Call } from '@sallyport/client/call'
import { ApiError, NetworkError } from '@sallyport/client/errors'
import { createAccountKey, createRecoveryKey, encodeRecoveryKey, toBase64url, wrapForRecovery } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { setPasswordStrings } from '#/strings/account/set-password.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { type RecoverAccountDeps, recoverWithRecoveryKey } from './recover-account.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const accountKey = createAccountKey()
const recoveryKey = createRecoveryKey()
const credential = `Zk2.${'A'.repeat(43)}`

/** A server that loses the answer to the password change, which it has received or not. */
async function startServer({ isReceived }: { isReceived: boolean }) {
  const state = { accepted: 'the forgotten one', asked: [] as string[], committed: [] as number[] }
  const recovery = {
    keyVersion: 1,
    wrappedKey: await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey }),
  }
  const call = (async ({ path }: { path: string }, { body }: { body: { password: string; slot: number } }) => {
    if (path.endsWith('/prelogin')) return { salt: 'BwcHBwcHBwcHBwcHBwcHBw', profiles: [2] }
    if (path.endsWith('/staged')) return { slot: 2 }
    if (path.endsWith('/commit')) {
      state.committed.push(body.slot)
      return { lostFiles: 0 }
    }
    if (path.endsWith('/reauthenticate')) {
      state.asked.push(body.password)
      if (body.password === state.accepted) return { freshForMs: 1 }
      throw new ApiError({ status: 403, code: 'PASSWORD_INVALID' })
    }
    return { slots: [], recovery }
  }) as unknown as Call
  const deps: RecoverAccountDeps = {
    call,
    storage: createMemoryStorage(),
    clock: { now: () => 0, wait: async () => undefined },
    deriveSecrets: async () => ({ credential, wrapSecret: new Uint8Array(32).fill(1) }),
    deriveMasterKey: async () => new Uint8Array(32).fill(2),
    async changeCredential(next) {
      if (isReceived) state.accepted = next
      throw new NetworkError()
    },
  }
  return { deps, state }
}

const input = async () => ({
  userId,
  identifier: { email: 'ann@example.org' },
  password: 'another one',
  recoveryKey: await encodeRecoveryKey(recoveryKey),
})

test('T057 ACC-15 a password reset whose answer is lost succeeds if the server accepts the new password', async () => {
  const { deps, state } = await startServer({ isReceived: true })

  const { keys } = await recoverWithRecoveryKey(deps, await input())

  expect(keys.accountKey).toBe(toBase64url(accountKey))
  expect(state.asked).toEqual([credential])
  expect(state.committed).toEqual([2])
})

test('T057 ACC-15 a password reset that the server has not received asks to try again and commits nothing', async () => {
  const { deps, state } = await startServer({ isReceived: false })

  await expect(recoverWithRecoveryKey(deps, await input())).rejects.toThrow(setPasswordStrings.notSet)

  expect(state.asked).toEqual([credential])
  expect(state.committed).toEqual([])
})

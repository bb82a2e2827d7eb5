import { createCaller } from '@sallyport/client/call'
import { fromBase64url } from '@sallyport/crypto'
import { orNull } from '@sallyport/lying-server/attempt'
import { coveredCalls } from '@sallyport/lying-server/covered-calls'
import { requestFlow } from '@sallyport/lying-server/flow'
import { serveAccounts } from '@sallyport/lying-server/honest-accounts'
import type { KnownLie } from '@sallyport/lying-server/lies'
import type { LyingServer } from '@sallyport/lying-server/server'
import { openRecoveryLink, type RecoveryAuthSession, setPassword } from '#/features/account/password-reset/recovery.ts'
import { register } from '#/features/account/sign-in/sign-in.ts'
import { createAccountRecoveryKey } from '#/lib/keys/recovery-key.ts'
import type { EncodedKeys } from '#/lib/keys/stored-keys.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createAuthProvider, openBrowser } from './browser.ts'

const email = 'ann@example.org'
const passwords = ['correct horse battery staple', 'paper lantern over the gate', 'seven boats at the pier'] as const

interface KeysResponse {
  readonly recovery: object | null
}

/** Returns the wrapping that the old recovery key opens under the current key version. */
const earlierRecoveryKey: KnownLie = {
  name: 'the account key of an earlier version, wrapped for recovery',
  call: 'GET /api/account/keys',
  nth: 'every',
  change: (honest: KeysResponse, { objects }) => {
    const saved = objects.find((fields) => 'wrappedKey' in fields && !('profile' in fields))
    return honest.recovery ? { ...honest, recovery: { ...honest.recovery, wrappedKey: saved?.['wrappedKey'] } } : honest
  },
}

/**
 * A user prints a recovery key, forgets the password, recovers without the printed key, prints a new one and recovers
 * with it. Then they try the old printed key.
 */
export const recoveryFlow = () =>
  requestFlow({
    name: 'forgotten password, with and without a recovery key',
    calls: coveredCalls['forgotten password, with and without a recovery key'],
    serve: serveAccounts,
    knownLies: [earlierRecoveryKey],
    async run(server) {
      const violations: string[] = []
      const secrets: Record<string, string | Uint8Array> = Object.fromEntries(passwords.map((text) => [text, text]))
      const browser = openBrowser(server)
      const { deps, call } = browser

      const result = await orNull(() =>
        register(deps, { email, password: passwords[0], licenseKey: '', signsInDirectly: true }),
      )
      const firstKeys = result && deps.keyRing.keysOf(result.account.id)
      const oldRecoveryKey = firstKeys && (await printRecoveryKey(firstKeys, { call, storage: deps.storage }))
      const withoutKey = await recover(passwords[1], null)
      const newRecoveryKey = withoutKey && (await printRecoveryKey(withoutKey, withoutKey))
      const withKey = newRecoveryKey && (await recover(passwords[2], newRecoveryKey))
      const withOldKey = oldRecoveryKey && (await recover(passwords[2], oldRecoveryKey))
      browser.close()

      for (const keys of [firstKeys, withoutKey, withKey]) {
        if (keys) secrets[`an account key ${keys.accountKey}`] = fromBase64url(keys.accountKey)
      }
      if (withKey && withKey.accountKey !== withoutKey?.accountKey) violations.push('another account key was recovered')
      if (withOldKey && stagedVersion(server) > 1) {
        violations.push('an earlier account key was accepted as the current one')
      }
      return { secrets, violations, isComplete: withKey !== null && withOldKey === null }

      /** Creates, activates and returns a recovery key as it is printed. */
      async function printRecoveryKey(
        keys: EncodedKeys,
        device: Pick<typeof deps, 'call' | 'storage'>,
      ): Promise<string | null> {
        return orNull(async () => {
          const { groups, activate } = await createAccountRecoveryKey(device, keys)
          secrets['a recovery key'] = groups.join('-')
          await activate()
          return groups.join('-')
        })
      }

      /** Sets a password with the link of a recovery email. */
      async function recover(password: string, recoveryKey: string | null) {
        return orNull(async () => {
          const recovery = await openMailedLink(server)
          const storage = createMemoryStorage()
          const { keys } = await setPassword({ ...deps, storage }, recovery, { password, recoveryKey })
          return { ...keys, call: recovery.call, storage }
        })
      }
    },
  })

async function openMailedLink(server: LyingServer): Promise<RecoveryAuthSession> {
  const provider = createAuthProvider(server)
  const recovery = await openRecoveryLink(provider, { token: 'mailed-token', email })
  const getAccessToken = async () => (await provider.getSession()).data.session?.access_token ?? null
  // Like the app's own call, but to the test server.
  return { ...recovery, call: createCaller({ baseUrl: server.origin, fetch: server.fetch, getAccessToken }) }
}

/** The key version of the last wrapping that was staged for a new password. */
const stagedVersion = ({ seen }: LyingServer): number =>
  Number(seen.objects.findLast((fields) => 'keyVersion' in fields && 'profile' in fields)?.['keyVersion'] ?? 0)

import { createCaller } from '@sallyport/client/call'
import { orNull } from '@sallyport/client/testing/lying-server/attempt'
import { coveredCalls } from '@sallyport/client/testing/lying-server/covered-calls'
import { requestFlow } from '@sallyport/client/testing/lying-server/flow'
import { serveAccounts } from '@sallyport/client/testing/lying-server/honest-accounts'
import type { KnownLie } from '@sallyport/client/testing/lying-server/lies'
import type { LyingServer } from '@sallyport/client/testing/lying-server/server'
import { fromBase64url } from '@sallyport/crypto'
import { register } from '#/accounts/enter.ts'
import type { KeptKeys } from '#/keys/kept-keys.ts'
import { makeRecoveryKey } from '#/keys/recovery-key.ts'
import { openRecovery, type Recovery, setPassword } from '#/set-password/recovery.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createProvider, openBrowser } from './browser.ts'

const email = 'ann@example.org'
const passwords = ['correct horse battery staple', 'paper lantern over the gate', 'seven boats at the pier'] as const

interface KeysAnswer {
  readonly recovery: object | null
}

/** To the old print the server answers what the old print opens, under the present version. */
const earlierRecoveryKey: KnownLie = {
  name: 'the account key of an earlier version, wrapped for recovery',
  call: 'GET /api/account/keys',
  nth: 'every',
  change: (honest: KeysAnswer, { objects }) => {
    const saved = objects.find((fields) => 'wrappedKey' in fields && !('profile' in fields))
    return honest.recovery ? { ...honest, recovery: { ...honest.recovery, wrappedKey: saved?.['wrappedKey'] } } : honest
  },
}

/**
 * A person prints a recovery key, forgets the password, begins again without the printed key, prints a new one, and
 * opens the account with it. Then they try the old print.
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

      const entered = await orNull(() =>
        register(deps, { email, password: passwords[0], licenseKey: '', mayEnter: true }),
      )
      const firstKeys = entered && deps.keyRing.keysOf(entered.account.id)
      const oldPrint = firstKeys && (await print(firstKeys, { call, storage: deps.storage }))
      const withoutKey = await begin(passwords[1], null)
      const newPrint = withoutKey && (await print(withoutKey, withoutKey))
      const withKey = newPrint && (await begin(passwords[2], newPrint))
      const withOldKey = oldPrint && (await begin(passwords[2], oldPrint))
      browser.close()

      for (const keys of [firstKeys, withoutKey, withKey]) {
        if (keys) secrets[`an account key ${keys.accountKey}`] = fromBase64url(keys.accountKey)
      }
      if (withKey && withKey.accountKey !== withoutKey?.accountKey) violations.push('another account key was recovered')
      if (withOldKey && stagedVersion(server) > 1) {
        violations.push('the account key of an earlier version was taken for the present one')
      }
      return { secrets, violations, isComplete: withKey !== null && withOldKey === null }

      /** The recovery key as it is printed. */
      async function print(keys: KeptKeys, device: Pick<typeof deps, 'call' | 'storage'>): Promise<string | null> {
        return orNull(async () => {
          const { groups, takeIntoUse } = await makeRecoveryKey(device, keys)
          secrets['a recovery key'] = groups.join('-')
          await takeIntoUse()
          return groups.join('-')
        })
      }

      /** Sets a password by the link of a recovery mail. */
      async function begin(password: string, recoveryKey: string | null) {
        return orNull(async () => {
          const recovery = await followLink(server)
          const storage = createMemoryStorage()
          const { keys } = await setPassword({ ...deps, storage }, recovery, { password, recoveryKey })
          return { ...keys, call: recovery.call, storage }
        })
      }
    },
  })

async function followLink(server: LyingServer): Promise<Recovery> {
  const provider = createProvider(server)
  const recovery = await openRecovery(provider, { token: 'mailed-token', email })
  const accessToken = async () => (await provider.getSession()).data.session?.access_token ?? null
  // The same as the page's own, but for the server it reaches.
  return { ...recovery, call: createCaller({ baseUrl: server.origin, fetch: server.fetch, accessToken }) }
}

/** The version under which an account key was last wrapped for a new password. */
const stagedVersion = ({ seen }: LyingServer): number =>
  Number(seen.objects.findLast((fields) => 'keyVersion' in fields && 'profile' in fields)?.['keyVersion'] ?? 0)

import { fromBase64url } from '@sallyport/crypto'
import { orNull } from '@sallyport/lying-server/attempt'
import { coveredCalls } from '@sallyport/lying-server/covered-calls'
import { requestFlow } from '@sallyport/lying-server/flow'
import { serveAccounts } from '@sallyport/lying-server/honest-accounts'
import type { KnownLie } from '@sallyport/lying-server/lies'
import { register, signIn, unlock } from '#/features/account/sign-in/sign-in.ts'
import type { Account } from '#/lib/api/auth.ts'
import { changeCredential } from '#/lib/api/change-credential.ts'
import { changePassword } from '#/lib/keys/change-password.ts'
import { confirmPassword } from '#/lib/keys/confirm-password.ts'
import { openRememberedDevice, rememberDevice } from '#/lib/keys/remembered-device.ts'
import type { EncodedKeys } from '#/lib/keys/stored-keys.ts'
import { openBrowser } from './browser.ts'

const email = 'ann@example.org'
const firstPassword = 'correct horse battery staple'
const secondPassword = 'paper lantern over the north gate'
const completeMfa = async () => undefined

const weakerProfileLie: KnownLie = {
  name: 'the weaker KDF profile only',
  call: 'POST /api/auth/prelogin',
  nth: 'every',
  change: (honest: object) => ({ ...honest, profiles: [1] }),
}

/**
 * A user signs up, remembers this device, signs in on another one, unlocks the first, confirms the password and changes
 * it.
 */
export const accountFlow = () =>
  requestFlow({
    name: 'sign-up, sign-in, password change',
    calls: coveredCalls['sign-up, sign-in, password change'],
    serve: serveAccounts,
    knownLies: [weakerProfileLie],
    async run(server) {
      const violations: string[] = []
      const secrets: Record<string, string | Uint8Array> = {
        'the first password': firstPassword,
        'the second password': secondPassword,
      }
      const browsers = [openBrowser(server), openBrowser(server), openBrowser(server)] as const
      const [laptop, phone, tablet] = browsers
      const input = { email, password: firstPassword, licenseKey: '', signsInDirectly: true }

      const result = await orNull(() => register(laptop.deps, input))
      const keys = result && laptop.deps.keyRing.keysOf(result.account.id)
      if (keys) {
        await orNull(() => rememberDevice({ ...laptop.deps, sessionLifetime: { isRemembered: () => true } }, keys))
        const remembered = await orNull(() => openRememberedDevice(laptop.call, keys.userId))
        if (remembered && remembered.accountKey !== keys.accountKey) violations.push('a device unlocked another key')
      }
      await signInOn(phone, firstPassword)
      if (result) await unlockAndConfirm(laptop, result.account)
      const changed = keys && (await orNull(() => updatePassword(keys)))
      await signInOn(tablet, secondPassword)

      for (const { wrapSecrets, deps, close } of browsers) {
        close()
        for (const secret of wrapSecrets) secrets[`a wrap secret ${secret}`] = secret
        const state = deps.keyRing.state.current()
        const open = state.phase === 'open' ? deps.keyRing.keysOf(state.userId) : null
        if (open) secrets[`an account key ${open.accountKey}`] = fromBase64url(open.accountKey)
        if (open) secrets[`a master key ${open.masterKey}`] = fromBase64url(open.masterKey)
      }
      if (/"(current_)?password":"Zk1\./.test(server.transcript.text())) {
        violations.push('a credential with a weaker profile than that of the account was sent')
      }
      const isOpen = browsers.every(({ deps }) => deps.keyRing.state.current().phase === 'open')
      return { secrets, violations, isComplete: isOpen && changed?.accountKey === keys?.accountKey }

      async function signInOn({ deps }: (typeof browsers)[number], password: string): Promise<void> {
        await orNull(() => signIn(deps, { identifierText: email, password, remember: false, completeMfa }))
      }

      async function unlockAndConfirm({ deps }: (typeof browsers)[number], account: Account): Promise<void> {
        deps.keyRing.close()
        await orNull(() => unlock(deps, { account, password: firstPassword }))
        await orNull(() => confirmPassword(deps, { holder: { email }, password: firstPassword }))
      }

      function updatePassword({ userId }: EncodedKeys) {
        const { deps } = laptop
        const change = { userId, identifier: { email }, current: firstPassword, next: secondPassword }
        return changePassword({ ...deps, changeCredential: changeCredential.bind(null, deps.auth) }, change)
      }
    },
  })

import { orNull } from '@sallyport/client/testing/lying-server/attempt'
import { coveredCalls } from '@sallyport/client/testing/lying-server/covered-calls'
import { requestFlow } from '@sallyport/client/testing/lying-server/flow'
import { serveAccounts } from '@sallyport/client/testing/lying-server/honest-accounts'
import type { KnownLie } from '@sallyport/client/testing/lying-server/lies'
import { fromBase64url } from '@sallyport/crypto'
import { register, signIn, unlock } from '#/accounts/enter.ts'
import type { Account } from '#/api/auth.ts'
import { changeCredential } from '#/api/change-credential.ts'
import { changePassword } from '#/keys/change-password.ts'
import { confirmPassword } from '#/keys/confirm-password.ts'
import type { KeptKeys } from '#/keys/kept-keys.ts'
import { keepDevice, openDevice } from '#/keys/remembered-device.ts'
import { openBrowser } from './browser.ts'

const email = 'ann@example.org'
const first = 'correct horse battery staple'
const second = 'paper lantern over the north gate'
const passSecondFactor = async () => undefined

const weakerStretching: KnownLie = {
  name: 'the weaker of two ways to stretch a password',
  call: 'POST /api/auth/prelogin',
  nth: 'every',
  change: (honest: object) => ({ ...honest, profiles: [1] }),
}

/**
 * A person signs up, remembers this device, signs in on another one, unlocks the first, confirms the password, and
 * changes it.
 */
export const accountFlow = () =>
  requestFlow({
    name: 'sign-up, sign-in, password change',
    calls: coveredCalls['sign-up, sign-in, password change'],
    serve: serveAccounts,
    knownLies: [weakerStretching],
    async run(server) {
      const violations: string[] = []
      const secrets: Record<string, string | Uint8Array> = {
        'the first password': first,
        'the second password': second,
      }
      const browsers = [openBrowser(server), openBrowser(server), openBrowser(server)] as const
      const [laptop, phone, tablet] = browsers
      const wish = { email, password: first, licenseKey: '', mayEnter: true }

      const entered = await orNull(() => register(laptop.deps, wish))
      const keys = entered && laptop.deps.keyRing.keysOf(entered.account.id)
      if (keys) {
        await orNull(() => keepDevice(laptop.call, keys))
        const remembered = await orNull(() => openDevice(laptop.call, keys.userId))
        if (remembered && remembered.accountKey !== keys.accountKey) violations.push('a device opened another key')
      }
      await enter(phone, first)
      if (entered) await unlockAndConfirm(laptop, entered.account)
      const changed = keys && (await orNull(() => change(keys)))
      await enter(tablet, second)

      for (const { wrapSecrets, deps, close } of browsers) {
        close()
        for (const secret of wrapSecrets) secrets[`a wrap secret ${secret}`] = secret
        const state = deps.keyRing.state.current()
        const open = state.phase === 'open' ? deps.keyRing.keysOf(state.userId) : null
        if (open) secrets[`an account key ${open.accountKey}`] = fromBase64url(open.accountKey)
        if (open) secrets[`a master key ${open.masterKey}`] = fromBase64url(open.masterKey)
      }
      if (/"(current_)?password":"Zk1\./.test(server.transcript.text())) {
        violations.push('a credential was sent that was made in a weaker way than the account')
      }
      const isOpen = browsers.every(({ deps }) => deps.keyRing.state.current().phase === 'open')
      return { secrets, violations, isComplete: isOpen && changed?.accountKey === keys?.accountKey }

      async function enter({ deps }: (typeof browsers)[number], password: string): Promise<void> {
        await orNull(() => signIn(deps, { typed: email, password, remember: false, passSecondFactor }))
      }

      async function unlockAndConfirm({ deps }: (typeof browsers)[number], account: Account): Promise<void> {
        deps.keyRing.close()
        await orNull(() => unlock(deps, { account, password: first }))
        await orNull(() => confirmPassword(deps, { holder: { email }, password: first }))
      }

      function change({ userId }: KeptKeys) {
        const { deps } = laptop
        const wanted = { userId, holder: { email }, current: first, next: second }
        return changePassword({ ...deps, changeCredential: changeCredential.bind(null, deps.auth) }, wanted)
      }
    },
  })

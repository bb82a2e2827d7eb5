import { loadCode } from '@sallyport/browser/load-code'
import { accounts as accountsContract } from '@sallyport/contract/accounts'
import { ignore } from '@sallyport/contract/ignore'
import type { Reauthentication } from '#/features/account/password-strength/reauthentication-context.ts'
import type { SecurityContextValue } from '#/features/account/security/security-context.ts'
import { identifierOf } from '#/features/account/sign-in/identifier.ts'
import { whileSigningOut } from '#/features/account/sign-in/sign-out-lock.ts'
import { type Account, accountName } from '#/lib/api/auth.ts'
import { changeCredential } from '#/lib/api/change-credential.ts'
import { changeEmail } from '#/lib/api/change-email.ts'
import type { EncodedKeys } from '#/lib/keys/stored-keys.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import type { Services } from './services.ts'

/** Stored in the account's metadata, so that declining on one device applies to all. */
const offerMetadataKey = 'recovery_offer'
const declined = 'declined'

/** Creates the security operations of an unlocked account. */
export function createAccountSecurity(services: Services, account: Account): SecurityContextValue {
  const { accounts, api, sessionLifetime, keyRing } = services
  const { auth, clock } = accounts.signInDeps
  const confirm = confirmPasswordOf(account, services)
  const { call } = api

  function requireKeys(): EncodedKeys {
    const unlocked = keyRing.keysOf(account.id)
    if (!unlocked) throw new UserFacingError(fileStrings.missingKey)
    return unlocked
  }

  return {
    name: accountName(account),
    async changePassword({ current, next }) {
      const { changePassword } = await loadCode(() => import('#/lib/keys/change-password.ts'))
      const change = { userId: account.id, identifier: identifierOf(accountName(account)), current, next }
      const deps = { ...accounts.signInDeps, changeCredential: changeCredential.bind(null, auth) }
      const newKeys = await changePassword(deps, change)
      keyRing.replace(newKeys)
      if (!sessionLifetime.isRemembered()) return
      const { refreshRememberedDevice } = await loadCode(() => import('#/lib/keys/remembered-device.ts'))
      await refreshRememberedDevice({ call, keyRing, sessionLifetime }, newKeys).catch((error) =>
        ignore(error, 'a new tab asks for the new password'),
      )
    },
    async changeEmail({ email, password }) {
      const current = await confirm(password)
      return changeEmail({ auth, clock }, { email, current })
    },
    async deleteAccount(password) {
      await confirm(password)
      await whileSigningOut(async () => {
        await call(accountsContract.remove, {})
        await accounts.authController.signOut()
      })
    },
    createRecoveryKey: async () =>
      (await loadCode(() => import('#/lib/keys/recovery-key.ts'))).createAccountRecoveryKey(
        { call, storage: accounts.signInDeps.storage },
        requireKeys(),
      ),
    async isRecoveryOfferDeclined() {
      const { data } = await (await auth.provider()).getSession()
      return data.session?.user.user_metadata[offerMetadataKey] === declined
    },
    async declineRecoveryOffer() {
      await (await auth.provider()).updateUser({ data: { [offerMetadataKey]: declined } })
    },
  }
}

/** Creates the password confirmation of an unlocked account. */
export const createReauthentication = (services: Services, account: Account): Reauthentication => ({
  name: accountName(account),
  async confirm(password) {
    await confirmPasswordOf(account, services)(password)
  },
})

/** Creates the function that verifies the account's password and resolves with its credential. */
const confirmPasswordOf =
  (account: Account, { accounts }: Services) =>
  async (password: string): Promise<string> => {
    const { confirmPassword } = await loadCode(() => import('#/lib/keys/confirm-password.ts'))
    return confirmPassword(accounts.signInDeps, { holder: identifierOf(accountName(account)), password })
  }

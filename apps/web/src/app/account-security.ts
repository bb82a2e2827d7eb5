import { identifierOf } from '#/accounts/identifier.ts'
import { type Account, nameOf } from '#/api/auth.ts'
import { changeCredential } from '#/api/change-credential.ts'
import { SpokenError } from '#/api/failure.ts'
import type { KeptKeys } from '#/keys/kept-keys.ts'
import type { PasswordProof } from '#/passwords/password-proof-context.ts'
import type { Security } from '#/security/security-context.ts'
import { fileWords } from '#/words/files.ts'
import type { Services } from './services.ts'

/** A mark on the account itself, so that whoever declined on one device is not asked on another. */
const offerMark = 'recovery_offer'
const declined = 'declined'

/** The password, the keys and the devices of an account that is open. */
export function openAccountSecurity({ accounts, api, policy, keyRing }: Services, account: Account): Security {
  const { auth } = accounts.enter
  const { call } = api

  function keys(): KeptKeys {
    const open = keyRing.keysOf(account.id)
    if (!open) throw new SpokenError(fileWords.missingKey)
    return open
  }

  return {
    name: nameOf(account),
    async changePassword({ current, next }) {
      const { changePassword } = await import('#/keys/change-password.ts')
      const change = { userId: account.id, holder: identifierOf(nameOf(account)), current, next }
      const deps = { ...accounts.enter, changeCredential: changeCredential.bind(null, auth) }
      const renewed = await changePassword(deps, change)
      keyRing.renew(renewed)
      if (!policy.isRemembered()) return
      const { renewDevice } = await import('#/keys/remembered-device.ts')
      // Where it fails, a new tab asks for the new password.
      await renewDevice(call, renewed).catch(() => undefined)
    },
    makeRecoveryKey: async () =>
      (await import('#/keys/recovery-key.ts')).makeRecoveryKey({ call, storage: accounts.enter.storage }, keys()),
    async isOfferDeclined() {
      const { data } = await (await auth.provider()).getSession()
      return data.session?.user.user_metadata[offerMark] === declined
    },
    async declineOffer() {
      await (await auth.provider()).updateUser({ data: { [offerMark]: declined } })
    },
  }
}

/** Confirms the password of an account that is open. */
export const openPasswordProof = ({ accounts }: Services, account: Account): PasswordProof => ({
  name: nameOf(account),
  async confirm(password) {
    const { confirmPassword } = await import('#/keys/confirm-password.ts')
    await confirmPassword(accounts.enter, { holder: identifierOf(nameOf(account)), password })
  },
})

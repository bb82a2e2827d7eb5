import type { AuthUser } from '@sallyport/contract/auth'
import { messageLimits } from '@sallyport/contract/limits'
import type { Account } from '../../http/caller.ts'
import { noticeAddress } from '../../post/security-notices.ts'
import { accountWork } from '../../resources/password-hashing.ts'
import type { Challenge } from '../one-time/one-time-tokens.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Named, Origin } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { answerEvenly } from '../sign-ins/even-answer.ts'
import { countUserChange } from '../sign-ins/sign-in-attempts.ts'
import { nameOf } from './new-user.ts'
import { checkCredential, mergeMetadata, readIdentifier } from './newcomers.ts'
import { patched } from './registrations.ts'
import { applyRename } from './rename.ts'
import type { Identifier, UserPatch, UserRecord } from './users.store.ts'

type Parts = Pick<
  ProviderParts,
  | 'stores'
  | 'oneTimeTokens'
  | 'messages'
  | 'signIns'
  | 'hashes'
  | 'settings'
  | 'attempts'
  | 'present'
  | 'onRename'
  | 'notices'
  | 'passwordGuard'
  | 'now'
>

export interface OwnChange extends Named {
  readonly credential: string | undefined
  readonly currentCredential: string | undefined
  readonly nonce: string | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly challenge: Challenge | null
  readonly redirectTo: string | undefined
  readonly origin: Origin
}

interface NameRequest {
  readonly to: string
  /** Another account holds the name. */
  readonly isTaken: boolean
  readonly change: OwnChange
}

/** What people change about themselves. Whoever found an open page cannot take the account away from its holder. */
export function createOwnChanges(parts: Parts) {
  const { stores, oneTimeTokens, messages, signIns, hashes, settings, attempts } = parts
  const { passwordGuard, present, onRename, notices, now } = parts
  const { users } = stores

  /** Refused unless they show the present password, or a code that was sent to them, or have just come by a recovery mail. */
  async function prove(user: UserRecord, account: Account, change: OwnChange): Promise<void> {
    const { nonce, currentCredential, origin } = change
    if (nonce) {
      const to = user.email ?? user.phone ?? ''
      const shown = { code: nonce, relatesTo: to, kinds: ['reauthentication'], requester: origin.address } as const
      if (await oneTimeTokens.takeCode(shown)) return
      throw refuseAuth('reauthentication_not_valid')
    }
    const { recoveredAt } = account
    if (recoveredAt !== null && now() - recoveredAt < messageLimits.recoveryLinkMs) return
    if (currentCredential === undefined) {
      if (!settings.strict || user.password_hash === null) return
      throw refuseAuth('current_password_required')
    }
    const name: Identifier = user.email === null ? { phone: user.phone ?? '' } : { email: user.email }
    const { address } = origin
    const isRight = await passwordGuard.check({ identifier: name, address, userId: user.id }, () =>
      hashes.matches(user.password_hash, currentCredential, accountWork(address, user.id)),
    )
    if (!isRight) throw refuseAuth('current_password_invalid')
  }

  async function credentialPatch(user: UserRecord, { credential, origin }: OwnChange): Promise<UserPatch> {
    if (credential === undefined) return {}
    if (user.is_anonymous === 1) {
      throw refuseAuth('validation_failed', {
        text: 'Updating password of an anonymous user without an email or phone is not allowed',
        status: 422,
      })
    }
    checkCredential(credential, settings.strict)
    const caller = accountWork(origin.address, user.id)
    if (await hashes.matches(user.password_hash, credential, caller)) throw refuseAuth('same_password')
    return { password_hash: await hashes.make(credential, caller) }
  }

  /** The new name at once where nothing has to be confirmed; else it waits for the messages that go out. */
  async function namePatch(user: UserRecord, identifier: Identifier | null, change: OwnChange): Promise<UserPatch> {
    if (!identifier) return {}
    const isEmail = 'email' in identifier
    const to = nameOf(identifier)
    if (to === (isEmail ? user.email : user.phone)) return {}
    const isTaken = (await users.findBy(identifier)) !== null
    const asks = isEmail ? settings.confirmAddresses : settings.confirmNumbers
    // Where the new name has to be confirmed, the answer does not say whether it is taken: its holder's mailbox does.
    if (isTaken && !(asks && settings.strict)) throw refuseAuth(isEmail ? 'email_exists' : 'phone_exists')
    if (asks) {
      const request = { to, isTaken, change }
      return answerEvenly(settings.evenAnswerMs, () =>
        isEmail ? askAddresses(user, request) : askNumber(user, request),
      )
    }
    const provider = isEmail ? 'email' : 'phone'
    const named =
      user.is_anonymous === 1
        ? { is_anonymous: 0, app_metadata: JSON.stringify({ provider, providers: [provider] }) }
        : {}
    if (isEmail) return { ...named, email: to, email_confirmed_at: now(), email_proven_at: null, new_email: null }
    return { ...named, phone: to, phone_confirmed_at: now(), new_phone: null }
  }

  async function askAddresses(user: UserRecord, { to, isTaken, change }: NameRequest): Promise<UserPatch> {
    const { challenge, redirectTo } = change
    await messages.hold({ requester: user.id, to })
    await oneTimeTokens.drop(user.id, ['email-change-current', 'email-change-new'])
    const halves = [
      { kind: 'email-change-current', to: user.email },
      { kind: 'email-change-new', to },
    ] as const
    for (const half of halves) {
      if (half.to === null) continue
      const proof = { userId: user.id, kind: half.kind, relatesTo: half.to, challenge }
      const issued = await oneTimeTokens.issue(proof)
      if (isTaken && half.to === to) await messages.alreadyRegistered(to)
      else await messages.changeAddress({ to: half.to, issued, type: 'email_change', redirectTo })
    }
    return { new_email: to, email_change_sent_at: now() }
  }

  async function askNumber(user: UserRecord, { to, isTaken }: NameRequest): Promise<UserPatch> {
    await messages.hold({ requester: user.id, to })
    const { code } = await oneTimeTokens.issue({ userId: user.id, kind: 'phone-change', relatesTo: to })
    if (!isTaken) await messages.text(to, code)
    return { new_phone: to, phone_change_sent_at: now() }
  }

  return {
    async change(account: Account, change: OwnChange): Promise<AuthUser> {
      const user = await users.find(account.userId)
      if (!user) throw refuseAuth('session_not_found')
      await countUserChange(attempts, user.id)
      const { credential, metadata } = change
      const email = readIdentifier({ email: change.email })
      const phone = readIdentifier({ phone: change.phone })
      const isWeighty = email !== null || phone !== null || credential !== undefined
      if (isWeighty && account.secondFactorPending) throw refuseAuth('insufficient_aal')
      if (isWeighty) await prove(user, account, change)
      const patch = {
        ...(await credentialPatch(user, change)),
        ...(await namePatch(user, email, change)),
        ...(await namePatch(user, phone, change)),
        ...(metadata && { user_metadata: mergeMetadata(user.user_metadata, metadata) }),
        updated_at: now(),
      }
      const changed = await patched(users, user.id, patch)
      await applyRename(user, changed, { onRename, notices })
      if (credential !== undefined) await forgetOldPassword(changed, account)
      return present(changed)
    },
  }

  /** Whoever knew the old password is out, and the holder is told of the new one. */
  async function forgetOldPassword(user: UserRecord, { signInId }: Account): Promise<void> {
    await oneTimeTokens.dropAll(user.id)
    await signIns.endOthers(user.id, signInId)
    await notices.send(noticeAddress(user), 'password-changed')
  }
}

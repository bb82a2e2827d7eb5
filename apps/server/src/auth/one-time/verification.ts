import { createHash, timingSafeEqual } from 'node:crypto'
import type { AuthSession, SignInPolicy } from '@sallyport/contract/auth'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Named, Origin } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { answerEvenly } from '../sign-ins/even-answer.ts'
import { countVerification } from '../sign-ins/sign-in-attempts.ts'
import { refuseBanned } from '../sign-ins/sign-ins.ts'
import { nameOf } from '../users/new-user.ts'
import { readIdentifier } from '../users/newcomers.ts'
import { patched } from '../users/registrations.ts'
import { applyRename } from '../users/rename.ts'
import { verifiedMetadata } from '../users/sign-up.ts'
import type { UserPatch, UserRecord } from '../users/users.store.ts'
import type { OneTimeTokenRecord, TokenKind } from './one-time-tokens.store.ts'
import { isChallenged } from './one-time-tokens.ts'

type Parts = Pick<
  ProviderParts,
  'stores' | 'oneTimeTokens' | 'signIns' | 'settings' | 'attempts' | 'onRename' | 'notices' | 'now'
>

interface Beginning {
  readonly policy: SignInPolicy
  readonly origin: Origin
}

export interface Showing extends Named, Beginning {
  readonly type: string
  readonly token: string | undefined
  readonly tokenHash: string | undefined
}

/** One of the two addresses has agreed to a change; the other has still to. */
export interface HalfDone {
  readonly msg: string
  readonly code: '200'
}

const kindsOf: Readonly<Record<string, readonly TokenKind[]>> = {
  signup: ['confirmation'],
  email: ['confirmation', 'sign-in'],
  invite: ['invitation'],
  recovery: ['recovery'],
  magiclink: ['sign-in', 'confirmation'],
  email_change: ['email-change-current', 'email-change-new'],
  sms: ['confirmation', 'sign-in'],
  phone_change: ['phone-change'],
}

const halfDone: HalfDone = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
}

/** Takes back what a message carried: a link's token alone, or an address with its code. */
export function createVerification(parts: Parts) {
  const { stores, oneTimeTokens, signIns, settings, attempts, onRename, notices, now } = parts
  const { users } = stores

  async function take(showing: Showing, kinds: readonly TokenKind[]): Promise<OneTimeTokenRecord> {
    const { token, tokenHash, email, phone } = showing
    if (tokenHash) {
      if (token || email || phone) refuseForm('Only the token_hash and type should be provided')
      const taken = await oneTimeTokens.takeLink(tokenHash, kinds)
      if (!taken) throw refuseAuth('otp_expired', { text: 'Email link is invalid or has expired' })
      return taken
    }
    if (!token) refuseForm('Verify requires either a token or a token hash')
    const identifier = readIdentifier(showing)
    if (!identifier || (email && phone)) {
      refuseForm('Only an email address or phone number should be provided on verify')
    }
    const offered = settings.strict ? kinds.filter((kind) => kind !== 'sign-in') : kinds
    const shown = { code: token, relatesTo: nameOf(identifier), kinds: offered, requester: showing.origin.address }
    const taken = await answerEvenly(settings.evenAnswerMs, () => oneTimeTokens.takeCode(shown))
    if (!taken) throw refuseAuth('otp_expired')
    return taken
  }

  /** What having shown this token makes of its user; null while the other half of a change is missing. */
  async function changeBy(taken: OneTimeTokenRecord, user: UserRecord): Promise<UserPatch | null> {
    const kind = taken.kind as TokenKind
    const confirmedNow = { email_confirmed_at: now(), email_proven_at: now() }
    if (kind === 'email-change-current' || kind === 'email-change-new') {
      const other = kind === 'email-change-new' ? 'email-change-current' : 'email-change-new'
      if ((await stores.oneTimeTokens.list(user.id, other)).length > 0) return null
      return renamed(user, { email: user.new_email ?? taken.relates_to, new_email: null, ...confirmedNow })
    }
    if (kind === 'phone-change') {
      return renamed(user, { phone: taken.relates_to, new_phone: null, phone_confirmed_at: now() })
    }
    return confirmed(taken, user, now())
  }

  async function apply(taken: OneTimeTokenRecord, { policy, origin }: Beginning): Promise<AuthSession | HalfDone> {
    const user = await users.find(taken.user_id)
    if (!user || user.deleted_at !== null) throw refuseAuth('otp_expired')
    refuseBanned(user, now())
    const patch = await changeBy(taken, user)
    if (!patch) return halfDone
    const changed = await patched(users, user.id, { ...patch, updated_at: now() })
    await oneTimeTokens.drop(user.id, ['confirmation', 'invitation', 'recovery'])
    await applyRename(user, changed, { onRename, notices })
    return signIns.start(changed, { method: 'otp', policy, origin, isRecovery: taken.kind === 'recovery' })
  }

  return {
    async verify(showing: Showing): Promise<AuthSession | HalfDone> {
      if (!showing.type) refuseForm('Verify requires a verification type')
      const kinds = kindsOf[showing.type]
      if (!kinds) refuseForm('Unsupported verification type')
      await countVerification(attempts, showing.origin.address)
      return apply(await take(showing, kinds), showing)
    },

    /** Goes on in the browser that asked for a link; what was read off the link alone opens nothing. */
    async exchange(code: string, verifier: string, beginning: Beginning): Promise<AuthSession> {
      await countVerification(attempts, beginning.origin.address)
      const found = isChallenged(code) ? await oneTimeTokens.findChallenged(code) : null
      if (!found?.challenge) throw refuseAuth('flow_state_not_found')
      const shown = found.challenge_method === 'plain' ? verifier : sha256(verifier)
      if (!isSame(shown, found.challenge)) throw refuseAuth('bad_code_verifier')
      const taken = await oneTimeTokens.takeLink(code, [found.kind as TokenKind])
      const session = taken && (await apply(taken, beginning))
      if (!session || 'msg' in session) throw refuseAuth('flow_state_not_found')
      return session
    },
  }
}

/** Whoever opens the link holds the address: the password that came with this very link counts, and no other one. */
function confirmed(taken: OneTimeTokenRecord, user: UserRecord, now: number): UserPatch {
  const isEmail = taken.relates_to.includes('@')
  const isNew = isEmail ? user.email_confirmed_at === null : user.phone_confirmed_at === null
  const proof = isEmail && taken.relates_to === user.email ? { email_proven_at: now } : {}
  if (!isNew) return proof
  const identifier = isEmail ? { email: taken.relates_to } : { phone: taken.relates_to }
  return {
    ...proof,
    ...(isEmail ? { email_confirmed_at: now } : { phone_confirmed_at: now }),
    ...(taken.credential_hash !== null && { password_hash: taken.credential_hash }),
    user_metadata: verifiedMetadata(user.user_metadata, identifier),
  }
}

/** Somebody who was anonymous is so no longer. */
function renamed(user: UserRecord, patch: UserPatch): UserPatch {
  if (user.is_anonymous === 0) return patch
  const provider = patch.email ? 'email' : 'phone'
  return { ...patch, is_anonymous: 0, app_metadata: JSON.stringify({ provider, providers: [provider] }) }
}

function refuseForm(text: string): never {
  throw refuseAuth('validation_failed', { text })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

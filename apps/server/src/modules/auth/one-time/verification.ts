import { createHash, timingSafeEqual } from 'node:crypto'
import type { AuthSession, SessionLifetime } from '@sallyport/contract/auth'
import { authError } from '../protocol/auth-error.ts'
import type { IdentifierInput, RequestOrigin } from '../provider.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { countVerification } from '../sign-ins/auth-rate-limits.ts'
import { requireNotBanned } from '../sign-ins/auth-sessions.ts'
import { withMinDuration } from '../sign-ins/min-duration.ts'
import { applyIdentifierChange } from '../users/identifier-changes.ts'
import { identifierValue } from '../users/new-user.ts'
import { updateUserOrThrow } from '../users/registrations.ts'
import { verifiedMetadata } from '../users/sign-up.ts'
import { parseIdentifier } from '../users/user-input.ts'
import type { UserPatch, UserRecord } from '../users/users.store.ts'
import type { OneTimeTokenRecord, TokenKind } from './one-time-tokens.store.ts'
import { isPkceToken } from './one-time-tokens.ts'

interface VerificationContext {
  readonly sessionLifetime: SessionLifetime
  readonly origin: RequestOrigin
}

export interface VerifyInput extends IdentifierInput, VerificationContext {
  readonly type: string
  readonly token: string | undefined
  readonly tokenHash: string | undefined
}

/** The response when one of the two addresses has confirmed an email change and the other has not. */
export interface EmailChangePending {
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

const emailChangePending: EmailChangePending = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
}

/** Verifies the content of a message: a link's token alone, or an identifier with its code. */
export function createVerification(deps: ProviderDeps) {
  const { stores, oneTimeTokens, authSessions, settings, rateLimiter, onIdentifierChange, notices, now } = deps
  const { users } = stores

  async function consumeToken(input: VerifyInput, kinds: readonly TokenKind[]): Promise<OneTimeTokenRecord> {
    const { token, tokenHash, email, phone } = input
    if (tokenHash) {
      if (token || email || phone) throwInvalidRequest('Only the token_hash and type should be provided')
      const consumed = await oneTimeTokens.consumeLink(tokenHash, kinds)
      if (!consumed) throw authError('otp_expired', { text: 'Email link is invalid or has expired' })
      return consumed
    }
    if (!token) throwInvalidRequest('Verify requires either a token or a token hash')
    const identifier = parseIdentifier(input)
    if (!identifier || (email && phone)) {
      throwInvalidRequest('Only an email address or phone number should be provided on verify')
    }
    const allowedKinds = settings.strict ? kinds.filter((kind) => kind !== 'sign-in') : kinds
    const submitted = {
      code: token,
      relatesTo: identifierValue(identifier),
      kinds: allowedKinds,
      requester: input.origin.address,
    }
    const taken = await withMinDuration(settings.minResponseMs, () => oneTimeTokens.consumeCode(submitted))
    if (!taken) throw authError('otp_expired')
    return taken
  }

  /** Returns the update that this token confirms; null while the other address of an email change has not confirmed. */
  async function patchFor(consumed: OneTimeTokenRecord, user: UserRecord): Promise<UserPatch | null> {
    const kind = consumed.kind as TokenKind
    const confirmedNow = { email_confirmed_at: now(), email_proven_at: now() }
    if (kind === 'email-change-current' || kind === 'email-change-new') {
      const other = kind === 'email-change-new' ? 'email-change-current' : 'email-change-new'
      if ((await stores.oneTimeTokens.list(user.id, other)).length > 0) return null
      return identifierPatch(user, { email: user.new_email ?? consumed.relates_to, new_email: null, ...confirmedNow })
    }
    if (kind === 'phone-change') {
      return identifierPatch(user, { phone: consumed.relates_to, new_phone: null, phone_confirmed_at: now() })
    }
    return confirmationPatch(consumed, user, now())
  }

  async function completeVerification(
    consumed: OneTimeTokenRecord,
    { sessionLifetime, origin }: VerificationContext,
  ): Promise<AuthSession | EmailChangePending> {
    const user = await users.find(consumed.user_id)
    if (!user || user.deleted_at !== null) throw authError('otp_expired')
    requireNotBanned(user, now())
    const patch = await patchFor(consumed, user)
    if (!patch) return emailChangePending
    const changed = await updateUserOrThrow(users, user.id, { ...patch, updated_at: now() })
    await oneTimeTokens.consumeByKind(user.id, ['confirmation', 'invitation'])
    await oneTimeTokens.removeByKind(user.id, ['recovery'])
    await applyIdentifierChange(user, changed, { onRename: onIdentifierChange, notices })
    return authSessions.start(changed, {
      method: 'otp',
      sessionLifetime,
      origin,
      isRecovery: consumed.kind === 'recovery',
    })
  }

  return {
    async verify(input: VerifyInput): Promise<AuthSession | EmailChangePending> {
      if (!input.type) throwInvalidRequest('Verify requires a verification type')
      const kinds = kindsOf[input.type]
      if (!kinds) throwInvalidRequest('Unsupported verification type')
      await countVerification(rateLimiter, input.origin.address)
      return completeVerification(await consumeToken(input, kinds), input)
    },

    /** Exchanges the code of a PKCE link for a session. The link alone is useless without the verifier. */
    async exchange(code: string, verifier: string, context: VerificationContext): Promise<AuthSession> {
      await countVerification(rateLimiter, context.origin.address)
      const found = isPkceToken(code) ? await oneTimeTokens.findPkceToken(code) : null
      if (!found?.challenge) throw authError('flow_state_not_found')
      const derivedChallenge = found.challenge_method === 'plain' ? verifier : sha256(verifier)
      if (!equalConstantTime(derivedChallenge, found.challenge)) throw authError('bad_code_verifier')
      const consumed = await oneTimeTokens.consumeLink(code, [found.kind as TokenKind])
      const session = consumed && (await completeVerification(consumed, context))
      if (!session || 'msg' in session) throw authError('flow_state_not_found')
      return session
    },
  }
}

/** Opening the link proves ownership of the address, so the password of this link is set and no other. */
function confirmationPatch(consumed: OneTimeTokenRecord, user: UserRecord, now: number): UserPatch {
  const isEmail = consumed.relates_to.includes('@')
  const isNew = isEmail ? user.email_confirmed_at === null : user.phone_confirmed_at === null
  const proof = isEmail && consumed.relates_to === user.email ? { email_proven_at: now } : {}
  if (!isNew) return proof
  const identifier = isEmail ? { email: consumed.relates_to } : { phone: consumed.relates_to }
  return {
    ...proof,
    ...(isEmail ? { email_confirmed_at: now } : { phone_confirmed_at: now }),
    ...(consumed.credential_hash !== null && { password_hash: consumed.credential_hash }),
    user_metadata: verifiedMetadata(user.user_metadata, identifier),
  }
}

/** Adds the columns that turn an anonymous user into a regular one. */
function identifierPatch(user: UserRecord, patch: UserPatch): UserPatch {
  if (user.is_anonymous === 0) return patch
  const provider = patch.email ? 'email' : 'phone'
  return { ...patch, is_anonymous: 0, app_metadata: JSON.stringify({ provider, providers: [provider] }) }
}

function throwInvalidRequest(text: string): never {
  throw authError('validation_failed', { text })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

const equalConstantTime = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

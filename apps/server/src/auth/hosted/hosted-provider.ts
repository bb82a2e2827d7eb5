import { AuthSession, AuthUser } from '@sallyport/contract/auth'
import type { AuthErrorCode } from '@sallyport/contract/auth-errors'
import * as z from 'zod'
import type { Bus } from '../../bus/bus.ts'
import type { Attempts } from '../../limits/attempts.ts'
import { type Revocation, revokedTopic } from '../../live/announce.ts'
import { AuthRefusal, refuseAuth } from '../protocol/auth-refusal.ts'
import type { AuthProvider, Newcomer, SignInSummary } from '../provider.ts'
import { isFreshProof } from '../sign-ins/password-proofs.ts'
import { countSignIn } from '../sign-ins/sign-in-attempts.ts'
import type { SignInsStore } from '../sign-ins/sign-ins.store.ts'
import { nameOf } from '../users/new-user.ts'
import { checkCredential, checkDerived, readIdentifier } from '../users/newcomers.ts'
import type { Identifier } from '../users/users.store.ts'
import { createHostedAccounts } from './hosted-accounts.ts'
import { createHostedCalls, unless } from './hosted-calls.ts'
import type { MirrorStore } from './mirror.store.ts'

interface Wishes {
  /** Where the provider answers, without a slash at the end. */
  readonly url: string
  readonly issuer: string
  readonly publishableKey: string
  readonly serviceKey: string
  readonly keysUrl: URL
  readonly sharedSecret: string | undefined
  readonly mirror: MirrorStore
  readonly listSignIns: (userId: string) => Promise<SignInSummary[]>
  readonly signIns: Pick<SignInsStore, 'prove' | 'provedAt'>
  readonly attempts: Attempts
  readonly bus: Bus
  readonly now: () => number
  readonly strict: boolean
}

/** The contract's shapes are of the small schema library; they parse alike. */
const User = AuthUser as unknown as z.ZodType<AuthUser>
const Session = AuthSession as unknown as z.ZodType<AuthSession>
const Users = z.object({ users: z.array(User) })
const Link = z.object({ hashed_token: z.string() })
const Anything = z.unknown()
const hourMs = 3_600_000
/** Refusals of a password that was wrong, or may have been. */
const guessCodes: ReadonlySet<AuthErrorCode> = new Set(['invalid_credentials', 'validation_failed'])
const passwordPath = '/token?grant_type=password'

/** A provider elsewhere, spoken to with a service key. It cannot end a single sign-in: what is ended here is refused here. */
export function createHostedProvider(wishes: Wishes): AuthProvider {
  const { mirror, attempts, bus, now, strict, listSignIns, signIns } = wishes
  const call = createHostedCalls(wishes)
  const findAccount = createHostedAccounts({ ...wishes, call })
  const token = wishes.serviceKey
  const userPath = (userId: string) => `/admin/users/${encodeURIComponent(userId)}`

  async function end(
    userId: string,
    which: { only?: string | undefined; except?: string | undefined },
  ): Promise<number> {
    const ended = await mirror.end(userId, which, now())
    for (const signInId of ended) bus.publish(revokedTopic, { userId, signInId } satisfies Revocation)
    return ended.length
  }

  async function findBy(named: { email?: string | undefined; phone?: string | undefined }): Promise<AuthUser | null> {
    const identifier = readIdentifier(named)
    if (!identifier) return null
    const name = nameOf(identifier)
    const path = `/admin/users?per_page=50&filter=${encodeURIComponent(name)}`
    const { users } = await call(Users, { method: 'GET', path, token })
    return users.find((user) => ('email' in identifier ? user.email : user.phone) === name) ?? null
  }

  async function generateLink(type: 'signup' | 'recovery', body: object) {
    const path = '/admin/generate_link'
    return call(z.intersection(User, Link), { method: 'POST', path, token, body: { type, ...body } })
  }

  async function makeUser(newcomer: Newcomer): Promise<AuthUser> {
    const { email, phone, credential, confirmed } = newcomer
    const body = { email, phone, password: credential, email_confirm: confirmed, phone_confirm: confirmed }
    const made = await unless('email_exists', null, call(User, { method: 'POST', path: '/admin/users', token, body }))
    if (made) return made
    const present = await findBy(newcomer)
    if (!present || present.confirmed_at !== undefined || !confirmed) throw refuseAuth('user_already_exists')
    return call(User, { method: 'PUT', path: userPath(present.id), token, body })
  }

  /** Counts wrong credentials and what has no known code, but no outage over there and no refusal for another reason. */
  async function checkPassword<Answer>(
    { identifier, address }: { readonly identifier: Identifier; readonly address: string },
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const release = await countSignIn(attempts, identifier, address)
    try {
      const answer = await ask()
      await release()
      return answer
    } catch (error) {
      if (!(error instanceof AuthRefusal && guessCodes.has(error.code))) await release()
      throw error
    }
  }

  return {
    findAccount,
    findBy,
    listSignIns,

    async passwordGrant({ email, phone, credential, origin, policy }) {
      const identifier = readIdentifier({ email, phone })
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      if (strict) checkDerived(credential)
      const { address } = origin
      const credentials = { ...identifier, password: credential }
      const session = await checkPassword({ identifier, address }, () =>
        call(Session, { method: 'POST', path: passwordPath, body: credentials, address, policy }),
      )
      await mirror.add(session.user, { now: now() })
      return session
    },

    async reauthenticate({ userId, signInId, credential, origin: { address } }) {
      const user = await call(User, { method: 'GET', path: userPath(userId), token })
      const identifier = readIdentifier({ email: user.email || undefined, phone: user.phone || undefined })
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      const body = { ...identifier, password: credential }
      const session = await unless(
        'invalid_credentials',
        null,
        checkPassword({ identifier, address }, () =>
          call(Session, { method: 'POST', path: passwordPath, body, address }),
        ),
      )
      if (!session) throw refuseAuth('current_password_invalid')
      const { access_token } = session
      await call(Anything, { method: 'POST', path: '/logout?scope=local', token: access_token }).catch(() => undefined)
      await signIns.prove(signInId, now())
    },
    hasFreshProof: async (signInId) => !strict || isFreshProof(await signIns.provedAt(signInId), now()),

    async createUser(newcomer) {
      if (newcomer.credential !== undefined) checkCredential(newcomer.credential, strict)
      const made = await makeUser(newcomer)
      await mirror.add(made, { now: now(), offerId: newcomer.offerId })
      return made
    },

    async signUpLink({ email, credential, offerId }) {
      checkCredential(credential, strict)
      const present = await findBy({ email })
      if (present?.confirmed_at !== undefined) throw refuseAuth('user_already_exists')
      // The provider would keep the first password of an address that nobody has confirmed.
      if (present)
        await call(User, { method: 'PUT', path: userPath(present.id), token, body: { password: credential } })
      const linked = await unless('email_exists', null, generateLink('signup', { email, password: credential }))
      if (!linked) throw refuseAuth('user_already_exists')
      const { hashed_token: tokenHash, ...user } = linked
      await mirror.add(user, { now: now(), offerId })
      return { user, tokenHash }
    },

    async recoveryLink(email) {
      const linked = await unless('user_not_found', null, generateLink('recovery', { email }))
      return linked?.hashed_token ?? null
    },

    async updateUser(userId, { email, phone, credential, confirmed, userMetadata, appMetadata }) {
      if (credential !== undefined) checkCredential(credential, strict)
      const changed = await call(User, {
        method: 'PUT',
        path: userPath(userId),
        token,
        body: {
          email,
          phone,
          password: credential,
          ...(confirmed !== undefined && { email_confirm: confirmed }),
          user_metadata: userMetadata,
          app_metadata: appMetadata,
        },
      })
      await mirror.add(changed, { now: now() })
      if (credential !== undefined) await end(userId, {})
      return changed
    },

    findUser: (userId) => unless('user_not_found', null, call(User, { method: 'GET', path: userPath(userId), token })),

    async endSignIns(userId, only) {
      await end(userId, { only })
    },
    endOtherSignIns: (userId, except) => end(userId, { except }),

    async setBan(userId, until) {
      const hours = until === null ? 0 : Math.max(1, Math.ceil((until - now()) / hourMs))
      const body = { ban_duration: until === null ? 'none' : `${hours}h` }
      await call(Anything, { method: 'PUT', path: userPath(userId), token, body })
      if (until !== null) await end(userId, {})
    },

    async deleteUser(userId) {
      await unless(
        'user_not_found',
        null,
        call(Anything, { method: 'DELETE', path: userPath(userId), token, body: {} }),
      )
      await end(userId, {})
      await mirror.remove(userId)
    },
  }
}

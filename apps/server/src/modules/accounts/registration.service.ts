import { randomUUIDv7 } from 'node:crypto'
import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import type { EmailTemplate } from '../../platform/email/email-service.ts'
import { AuthError } from '../auth/protocol/auth-error.ts'
import { withProductErrors } from '../auth/protocol/product-errors.ts'
import type { AuthProvider } from '../auth/provider.ts'
import { countRegistration } from '../auth/sign-ins/auth-rate-limits.ts'
import { withMinDuration } from '../auth/sign-ins/min-duration.ts'
import type { RegistrationPolicy } from '../auth/users/registration-policy.ts'
import { validateCredential } from '../auth/users/user-input.ts'
import { readEmail } from './identifier.ts'
import type { LicenceOffers } from './licences/licence-offers.ts'
import type { Salts } from './salts.ts'

interface RegistrationDeps
  extends Pick<ServerContext, 'rateLimiter' | 'emailService' | 'publicUrl' | 'confirmEmails' | 'strict' | 'now'> {
  readonly provider: AuthProvider
  readonly salts: Salts
  readonly offers: Pick<LicenceOffers, 'findKey' | 'claim'>
  readonly registrationsPerHour: number
  readonly registrationPolicy: Pick<RegistrationPolicy, 'requireAllowed'>
}

/** A licence offer and the address it was sent to. */
interface RegistrationOffer {
  readonly id: string
  readonly mailed_to: string | null
}

interface RegistrationRequest {
  readonly email: string
  readonly credential: string
  readonly address: string
  readonly licenceKey?: string | undefined
  readonly offer?: RegistrationOffer
  /** An address that an emailed invitation has proved. */
  readonly invitedTo?: string
}

interface NewAccountInput extends Pick<RegistrationRequest, 'email' | 'credential' | 'address'> {
  readonly offer: RegistrationOffer | undefined
}

interface RegistrationResult {
  readonly user: { readonly id: string; readonly email: string }
  readonly message: string
}

const readyMessage = 'Your account is ready. You can sign in now.'
const verifyEmailMessage =
  'Your account has been created. Please check your email and click the verification link before logging in.'

/**
 * Creates accounts. The response for an existing address is the same as for a new one, with a random id; the existing
 * account is not changed and its owner gets an email. This prevents account enumeration. Without address verification,
 * a later sign-in attempt or the provider's own sign-up call can still distinguish the two cases.
 */
export function createRegistrationService(deps: RegistrationDeps) {
  const {
    provider,
    salts,
    rateLimiter,
    emailService,
    offers,
    publicUrl,
    confirmEmails,
    registrationsPerHour,
    registrationPolicy,
    strict,
    now,
  } = deps

  /** Rate-limits emails per recipient: first per requester, so that one stranger cannot exhaust the total limit. */
  async function sendRateLimited(email: EmailTemplate, requester: string): Promise<void> {
    const perRequester = `registration-mails|${requester}|${email.to}`
    if (!(await rateLimiter.allow(perRequester, rateLimits.registrationMailsPerRequester)).allowed) return
    const total = await rateLimiter.allow(`registration-mails|${email.to}`, rateLimits.registrationMailsPerRecipient)
    if (total.allowed) await emailService.queueEmail(email)
    else await rateLimiter.refund(perRequester)
  }

  async function createUser({ email, credential, offer, address }: NewAccountInput, isVerified: boolean) {
    const newUser = { email, credential, offerId: offer?.id, address }
    if (isVerified) return provider.createUser({ ...newUser, confirmed: true })
    const { user, tokenHash } = await provider.createSignUpLink(newUser)
    const link = new URL('/auth/confirm', publicUrl)
    link.hash = new URLSearchParams({ token_hash: tokenHash, type: 'email' }).toString()
    await sendRateLimited({ kind: 'confirm-address', to: email, link: link.href }, address)
    return user
  }

  /** Returns the id of the new user, or a random id if the address is already registered. */
  async function createAccount(input: NewAccountInput, isVerified: boolean) {
    const { email, credential, address } = input
    try {
      const { id } = await createUser(input, isVerified)
      await salts.pin(email, id, credential)
      return id
    } catch (error) {
      if (!(error instanceof AuthError) || error.code !== 'user_already_exists') throw error
      await sendRateLimited({ kind: 'already-registered', to: email, link: publicUrl.href }, address)
      return randomUUIDv7()
    }
  }

  return {
    register: ({ credential, address, licenceKey, ...request }: RegistrationRequest): Promise<RegistrationResult> =>
      withProductErrors(async () => {
        await countRegistration(rateLimiter, address, registrationsPerHour)
        const email = readEmail(request.email)
        validateCredential(credential, strict)
        const offer = licenceKey ? await offers.findKey(licenceKey) : request.offer
        const isInvited = offer !== undefined || request.invitedTo !== undefined
        await registrationPolicy.requireAllowed({ email, isInvited })
        const isVerified = !confirmEmails || offer?.mailed_to === email || request.invitedTo === email
        const message = isVerified ? readyMessage : verifyEmailMessage
        const existing = await provider.findBy({ email })
        if (existing && !existing.email_confirmed_at && offer) {
          await offers.claim({ offerId: offer.id, userId: existing.id, now: now() })
        }
        const id = await withMinDuration(confirmEmails ? messageLimits.minResponseMs : 0, () =>
          createAccount({ email, credential, offer, address }, isVerified),
        )
        return { user: { id, email }, message }
      }),
  }
}

export type RegistrationService = ReturnType<typeof createRegistrationService>

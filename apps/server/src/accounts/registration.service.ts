import { randomUUIDv7 } from 'node:crypto'
import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { AuthRefusal } from '../auth/protocol/auth-refusal.ts'
import { withProductErrors } from '../auth/protocol/product-errors.ts'
import type { AuthProvider } from '../auth/provider.ts'
import { answerEvenly } from '../auth/sign-ins/even-answer.ts'
import { countRegistration } from '../auth/sign-ins/sign-in-attempts.ts'
import { checkCredential } from '../auth/users/newcomers.ts'
import type { LicenceOffers } from '../licences/licence-offers.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { Letter, Post } from '../post/post.ts'
import { readEmail } from './identifier.ts'
import type { Salts } from './salts.ts'

interface Parts {
  readonly provider: AuthProvider
  readonly salts: Salts
  readonly attempts: Attempts
  readonly post: Post
  readonly offers: Pick<LicenceOffers, 'findKey' | 'claim'>
  /** Where people open the page; letters lead nowhere else. */
  readonly publicUrl: URL
  /** Nobody signs in before they have opened the link in a mail. */
  readonly confirmAddresses: boolean
  readonly registrationsPerHour: number
  readonly strict: boolean
  readonly now: () => number
}

/** A licence somebody was offered, and the address it was mailed to. */
interface Offer {
  readonly id: string
  readonly mailed_to: string | null
}

interface Application {
  readonly email: string
  readonly credential: string
  readonly address: string
  readonly licenceKey?: string | undefined
  readonly offer?: Offer
}

interface Entry extends Pick<Application, 'email' | 'credential' | 'address'> {
  readonly offer: Offer | undefined
}

interface Registered {
  readonly user: { readonly id: string; readonly email: string }
  readonly message: string
}

const ready = 'Your account is ready. You can sign in now.'
const mailed = 'Your account is made. Please check your email and click the verification link before logging in.'

/**
 * Makes accounts. An address that is taken is answered like any other, with an id that belongs to nobody, and the
 * account that holds it stays as it is: the answer tells nobody who is a member, but its owner is written to. Where no
 * mail confirms addresses, signing in afterwards, and the provider's own sign-up call, still tell the two apart.
 */
export function createRegistration(parts: Parts) {
  const { provider, salts, attempts, post, offers, publicUrl, confirmAddresses, registrationsPerHour, strict, now } =
    parts

  /** Sends few mails an hour to one recipient, counted per requester first, so that strangers cannot use the total up alone. */
  async function write(letter: Letter, requester: string): Promise<void> {
    const perRequester = `letters|${requester}|${letter.to}`
    if (!(await attempts.allow(perRequester, rateLimits.registrationMailsPerRequester)).allowed) return
    const total = await attempts.allow(`letters|${letter.to}`, rateLimits.registrationMailsPerRecipient)
    if (total.allowed) await post.mail(letter)
    else await attempts.forgive(perRequester)
  }

  async function makeUser({ email, credential, offer, address }: Entry, isProven: boolean) {
    const newcomer = { email, credential, offerId: offer?.id, address }
    if (isProven) return provider.createUser({ ...newcomer, confirmed: true })
    const { user, tokenHash } = await provider.signUpLink(newcomer)
    const link = new URL('/auth/confirm', publicUrl)
    link.hash = new URLSearchParams({ token_hash: tokenHash, type: 'email' }).toString()
    await write({ kind: 'confirm-address', to: email, link: link.href }, address)
    return user
  }

  /** The id of the user who was made, or one that belongs to nobody when the address is taken. */
  async function enter(entry: Entry, isProven: boolean) {
    const { email, credential, address } = entry
    try {
      const { id } = await makeUser(entry, isProven)
      await salts.pin(email, id, credential)
      return id
    } catch (error) {
      if (!(error instanceof AuthRefusal) || error.code !== 'user_already_exists') throw error
      await write({ kind: 'already-registered', to: email, link: publicUrl.href }, address)
      return randomUUIDv7()
    }
  }

  return {
    register: ({ credential, address, licenceKey, ...application }: Application): Promise<Registered> =>
      withProductErrors(async () => {
        await countRegistration(attempts, address, registrationsPerHour)
        const email = readEmail(application.email)
        checkCredential(credential, strict)
        const offer = licenceKey ? await offers.findKey(licenceKey) : application.offer
        const isProven = !confirmAddresses || offer?.mailed_to === email
        const message = isProven ? ready : mailed
        const present = await provider.findBy({ email })
        if (present && !present.email_confirmed_at && offer) {
          await offers.claim({ offerId: offer.id, userId: present.id, now: now() })
        }
        const id = await answerEvenly(confirmAddresses ? messageLimits.evenAnswerMs : 0, () =>
          enter({ email, credential, offer, address }, isProven),
        )
        return { user: { id, email }, message }
      }),
  }
}

export type Registration = ReturnType<typeof createRegistration>

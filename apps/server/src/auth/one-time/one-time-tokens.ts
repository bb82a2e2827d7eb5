import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import { messageLimits, secondFactorLimits } from '@sallyport/contract/limits'
import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { Attempts } from '../../limits/attempts.ts'
import { callerKey } from '../../resources/address-blocks.ts'
import { hashOfToken } from '../../token-hash.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { GuessingNotices } from '../sign-ins/guessing-notices.ts'
import type { OneTimeTokenRecord, OneTimeTokensStore, TokenKind } from './one-time-tokens.store.ts'

interface Parts {
  readonly store: OneTimeTokensStore
  readonly secret: ProviderSecret
  readonly attempts: Attempts
  readonly guessing: GuessingNotices
  readonly now: () => number
}

interface Wish {
  readonly userId: string
  readonly kind: TokenKind
  /** The address or number the token is sent to, in its normal form. */
  readonly relatesTo: string
  readonly credentialHash?: string | null
  /** Earlier tokens of the kind stay good beside it. */
  readonly beside?: boolean
  /** Only the browser that asked can go on by the link. */
  readonly challenge?: Challenge | null
}

/** The hash of a verifier that the asking browser keeps (RFC 7636). */
export interface Challenge {
  readonly value: string
  readonly method: string
}

/** What goes into the message and is kept nowhere. */
export interface IssuedToken {
  readonly token: string
  readonly code: string
}

const linkBytes = 32

const challengedPrefix = 'pkce_'

/** Whether the link of a token leads back to the browser that asked for it. */
export const isChallenged = (token: string): boolean => token.startsWith(challengedPrefix)

const lives: Readonly<Record<TokenKind, number>> = {
  confirmation: messageLimits.confirmationLinkMs,
  invitation: messageLimits.invitationMs,
  recovery: messageLimits.recoveryLinkMs,
  'sign-in': messageLimits.recoveryLinkMs,
  'email-change-current': messageLimits.confirmationLinkMs,
  'email-change-new': messageLimits.confirmationLinkMs,
  'phone-change': messageLimits.textCodeMs,
  reauthentication: messageLimits.textCodeMs,
}

interface ShownCode {
  readonly code: string
  readonly relatesTo: string
  readonly kinds: readonly TokenKind[]
  /** The address block of the request. */
  readonly requester: string
}

const isNumber = (relatesTo: string): boolean => !relatesTo.includes('@')

/** Whether the message with the code has a link too, which works when codes no longer do. */
const hasLink = ({ kind, relates_to }: OneTimeTokenRecord): boolean =>
  kind !== 'reauthentication' && !isNumber(relates_to)

/**
 * What wrong codes are counted under. Codes with a link share one count of the account, which strangers can use up. Where
 * there is no link they must not: only sign-ins of the account ask for a code in place of the password, and codes that
 * confirm a number are counted by the network that enters them. A texted code that signs in is counted for the account,
 * since the password signs in too.
 */
function failureKeyOf(token: OneTimeTokenRecord, requester: string): string {
  const { user_id, kind } = token
  if (hasLink(token)) return `one-time-code|${user_id}`
  const ofKind = `one-time-code|${user_id}|${kind}`
  return kind === 'reauthentication' || kind === 'sign-in' ? ofKind : `${ofKind}|${callerKey(requester, undefined)}`
}

/** Makes and takes back what proves an address. The link's token and the code are independent of each other. */
export function createOneTimeTokens({ store, secret, attempts, guessing, now }: Parts) {
  return {
    async issue({
      userId,
      kind,
      relatesTo,
      credentialHash = null,
      beside = false,
      challenge = null,
    }: Wish): Promise<IssuedToken> {
      const token = (challenge ? challengedPrefix : '') + randomBytes(linkBytes).toString('base64url')
      const code = sixDigits()
      const life = isNumber(relatesTo) ? messageLimits.textCodeMs : lives[kind]
      // A recovery link stays valid when a stranger requests another one for the same account.
      if (kind === 'recovery') await store.dropEnded(userId, kind, now())
      else if (!beside) await store.drop(userId, [kind])
      await store.add({
        id: randomUUIDv7(),
        user_id: userId,
        kind,
        relates_to: relatesTo,
        link_hash: hashOfToken(token),
        code_hash: secret.hashCode(relatesTo, code),
        credential_hash: credentialHash,
        challenge: challenge?.value ?? null,
        challenge_method: challenge?.method ?? null,
        attempts: 0,
        created_at: now(),
        expires_at: now() + life,
      })
      return { token, code }
    },

    /** Uses up the token of a link, if it proves one of these; null when it is none or its time is over. */
    async takeLink(token: string, kinds: readonly TokenKind[]): Promise<OneTimeTokenRecord | null> {
      const found = await store.findByLink(hashOfToken(token), now())
      if (!found || !kinds.some((kind) => kind === found.kind)) return null
      return (await store.take(found.id)) ? found : null
    },

    /** The token of a link that was asked for with a challenge, without using it up. */
    findChallenged: (token: string): Promise<OneTimeTokenRecord | null> => store.findByLink(hashOfToken(token), now()),

    /**
     * Uses up the token a code was sent with; null when the code is wrong, over, or was guessed at too often: five times
     * for this token, or twenty times a day for all that is counted with it.
     */
    async takeCode({ code, relatesTo, kinds, requester }: ShownCode): Promise<OneTimeTokenRecord | null> {
      const newest = await store.findNewest({ kinds, relatesTo, now: now() })
      if (!newest || newest.attempts >= messageLimits.attemptsPerCode) return null
      const failures = failureKeyOf(newest, requester)
      const { allowed } = await attempts.allow(failures, rateLimits.oneTimeCodeFailuresPerAccount)
      if (!allowed) return null
      const codeHash = secret.hashCode(relatesTo, code)
      const found = await store.tryCode({ kinds, relatesTo, codeHash, now: now() })
      if (found && (await store.take(found.id))) {
        await attempts.forgive(failures)
        return found
      }
      if (hasLink(newest)) {
        await guessing.countFailure('mail-codes-blocked', newest.user_id, guessingLimits.mailCodeNoticeAfter)
      }
      return null
    },

    /** The different hashes of credentials that wait for an address to be confirmed, newest first, ended links included. */
    async pendingCredentials(userId: string): Promise<string[]> {
      const tokens = await store.list(userId, 'confirmation')
      return [...new Set(tokens.flatMap(({ credential_hash }) => credential_hash ?? []))]
    },
    drop: store.drop,
    dropAll: store.dropAll,
  }
}

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

/** A code to be read and typed, each as likely as any other. */
export const sixDigits = (): string =>
  randomInt(10 ** secondFactorLimits.codeDigits)
    .toString()
    .padStart(secondFactorLimits.codeDigits, '0')

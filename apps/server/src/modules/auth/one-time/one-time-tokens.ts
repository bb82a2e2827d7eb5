import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import type { EmailedLinkStatus } from '@sallyport/contract/emailed-links'
import { messageLimits, mfaLimits } from '@sallyport/contract/limits'
import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { callerKey } from '../../../platform/http/address-blocks.ts'
import { hashToken } from '../../../token-hash.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { GuessingNotices } from '../sign-ins/guessing-notices.ts'
import { isUsed, type OneTimeTokenRecord, type OneTimeTokensStore, type TokenKind } from './one-time-tokens.store.ts'

interface OneTimeTokensDeps extends Pick<ServerContext, 'rateLimiter' | 'now'> {
  readonly store: OneTimeTokensStore
  readonly secret: ProviderSecret
  readonly guessingNotices: GuessingNotices
}

interface IssueTokenInput {
  readonly userId: string
  readonly kind: TokenKind
  /** The normalized email address or phone number the token is sent to. */
  readonly relatesTo: string
  readonly credentialHash?: string | null
  /** Earlier tokens of the kind stay valid. */
  readonly allowEarlier?: boolean
  /** Binds the link to the requesting browser. */
  readonly challenge?: PkceChallenge | null
}

/** A PKCE code challenge (RFC 7636); the requesting browser holds the verifier. */
export interface PkceChallenge {
  readonly value: string
  readonly method: string
}

/** The secrets in the message. They are not stored. */
export interface IssuedToken {
  readonly token: string
  readonly code: string
}

const linkBytes = 32

const pkcePrefix = 'pkce_'

/** True for the token of a link with a PKCE challenge. */
export const isPkceToken = (token: string): boolean => token.startsWith(pkcePrefix)

const lifetimesMs: Readonly<Record<TokenKind, number>> = {
  confirmation: messageLimits.confirmationLinkMs,
  invitation: messageLimits.invitationMs,
  recovery: messageLimits.recoveryLinkMs,
  'sign-in': messageLimits.recoveryLinkMs,
  'email-change-current': messageLimits.confirmationLinkMs,
  'email-change-new': messageLimits.confirmationLinkMs,
  'phone-change': messageLimits.textCodeMs,
  reauthentication: messageLimits.textCodeMs,
}

interface SubmittedCode {
  readonly code: string
  readonly relatesTo: string
  readonly kinds: readonly TokenKind[]
  /** The IP address block of the request. */
  readonly requester: string
}

const isPhoneNumber = (relatesTo: string): boolean => !relatesTo.includes('@')

/** True when the message also contains a link, which works when codes are no longer accepted. */
const hasLink = ({ kind, relates_to }: OneTimeTokenRecord): boolean =>
  kind !== 'reauthentication' && !isPhoneNumber(relates_to)

/**
 * Returns the key under which wrong codes are counted. Codes with a link share one counter per account, which strangers
 * can exhaust. Without a link they must not: reauthentication codes can be requested only by the account's own auth
 * sessions, and codes that confirm a phone number are counted per network that enters them. A texted sign-in code is
 * counted per account, since the password signs in too.
 */
function failureKeyOf(token: OneTimeTokenRecord, requester: string): string {
  const { user_id, kind } = token
  if (hasLink(token)) return `one-time-code|${user_id}`
  const kindKey = `one-time-code|${user_id}|${kind}`
  return kind === 'reauthentication' || kind === 'sign-in' ? kindKey : `${kindKey}|${callerKey(requester, undefined)}`
}

/** Issues and consumes tokens that prove an email address or phone number. A link's token and its code are unrelated. */
export function createOneTimeTokens({ store, secret, rateLimiter, guessingNotices, now }: OneTimeTokensDeps) {
  return {
    async issue({
      userId,
      kind,
      relatesTo,
      credentialHash = null,
      allowEarlier = false,
      challenge = null,
    }: IssueTokenInput): Promise<IssuedToken> {
      const token = (challenge ? pkcePrefix : '') + randomBytes(linkBytes).toString('base64url')
      const code = createNumericCode()
      const lifetimeMs = isPhoneNumber(relatesTo) ? messageLimits.textCodeMs : lifetimesMs[kind]
      // A recovery link stays valid when a stranger requests another one for the same account.
      if (kind === 'recovery') await store.removeExpiredOfKind(userId, kind, now())
      else if (!allowEarlier) await store.removeByKind(userId, [kind])
      await store.add({
        id: randomUUIDv7(),
        user_id: userId,
        kind,
        relates_to: relatesTo,
        link_hash: hashToken(token),
        code_hash: secret.hashCode(relatesTo, code),
        credential_hash: credentialHash,
        challenge: challenge?.value ?? null,
        challenge_method: challenge?.method ?? null,
        attempts: 0,
        created_at: now(),
        expires_at: now() + lifetimeMs,
      })
      return { token, code }
    },

    /** Consumes the token of a link if it is of one of these kinds; returns null when it is invalid or expired. */
    async consumeLink(token: string, kinds: readonly TokenKind[]): Promise<OneTimeTokenRecord | null> {
      const found = await store.findByLink(hashToken(token), now())
      if (!found || !kinds.some((kind) => kind === found.kind)) return null
      return (await store.consume(found.id)) ? found : null
    },

    /** Returns whether a link still works, without consuming it. An unknown one counts as expired. */
    async getLinkStatus(token: string): Promise<EmailedLinkStatus> {
      const found = await store.findAnyByLink(hashToken(token))
      if (!found) return 'expired'
      if (isUsed(found)) return 'used'
      return found.expires_at > now() ? 'unused' : 'expired'
    },

    /** Returns the token of a link with a PKCE challenge, without consuming it. */
    findPkceToken: (token: string): Promise<OneTimeTokenRecord | null> => store.findByLink(hashToken(token), now()),

    /**
     * Consumes the token of a code. Returns null when the code is wrong or expired, or after too many wrong codes: 5
     * for this token, or 20 a day under its counter.
     */
    async consumeCode({ code, relatesTo, kinds, requester }: SubmittedCode): Promise<OneTimeTokenRecord | null> {
      const newest = await store.findNewest({ kinds, relatesTo, now: now() })
      if (!newest || newest.attempts >= messageLimits.attemptsPerCode) return null
      const failureKey = failureKeyOf(newest, requester)
      const { allowed } = await rateLimiter.allow(failureKey, rateLimits.oneTimeCodeFailuresPerAccount)
      if (!allowed) return null
      const codeHash = secret.hashCode(relatesTo, code)
      const found = await store.tryCode({ kinds, relatesTo, codeHash, now: now() })
      if (found && (await store.consume(found.id))) {
        await rateLimiter.refund(failureKey)
        return found
      }
      if (hasLink(newest)) {
        await guessingNotices.countFailure('mail-codes-blocked', newest.user_id, guessingLimits.mailCodeNoticeAfter)
      }
      return null
    },

    /** Lists the distinct credential hashes of pending confirmations, newest first, expired ones included. */
    async pendingCredentials(userId: string): Promise<string[]> {
      const tokens = await store.list(userId, 'confirmation')
      return [...new Set(tokens.flatMap(({ credential_hash }) => credential_hash ?? []))]
    },
    consumeByKind: store.consumeByKind,
    removeByKind: store.removeByKind,
    removeUnused: store.removeUnused,
  }
}

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

/** Returns a uniformly random code of six digits. */
export const createNumericCode = (): string =>
  randomInt(10 ** mfaLimits.codeDigits)
    .toString()
    .padStart(mfaLimits.codeDigits, '0')

import { createHash, randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import { messageLimits, secondFactorLimits } from '@sallyport/contract/limits'
import type { OneTimeTokenRecord, OneTimeTokensStore, TokenKind } from './one-time-tokens.store.ts'
import type { ProviderSecret } from './provider-secret.ts'

interface Parts {
  readonly store: OneTimeTokensStore
  readonly secret: ProviderSecret
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
}

/** What goes into the message and is kept nowhere. */
export interface IssuedToken {
  readonly token: string
  readonly code: string
}

const linkBytes = 32

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

const isNumber = (relatesTo: string): boolean => !relatesTo.includes('@')

/** Makes and takes back what proves an address. The link's token and the code are independent of each other. */
export function createOneTimeTokens({ store, secret, now }: Parts) {
  return {
    async issue({ userId, kind, relatesTo, credentialHash = null, beside = false }: Wish): Promise<IssuedToken> {
      const token = randomBytes(linkBytes).toString('base64url')
      const code = sixDigits()
      const life = isNumber(relatesTo) ? messageLimits.textCodeMs : lives[kind]
      if (!beside) await store.drop(userId, [kind])
      await store.add({
        id: randomUUIDv7(),
        user_id: userId,
        kind,
        relates_to: relatesTo,
        link_hash: hashLink(token),
        code_hash: secret.hashCode(relatesTo, code),
        credential_hash: credentialHash,
        attempts: 0,
        created_at: now(),
        expires_at: now() + life,
      })
      return { token, code }
    },

    /** Uses up the token of a link, if it proves one of these; null when it is none or its time is over. */
    async takeLink(token: string, kinds: readonly TokenKind[]): Promise<OneTimeTokenRecord | null> {
      const found = await store.findByLink(hashLink(token), now())
      if (!found || !kinds.some((kind) => kind === found.kind)) return null
      return (await store.take(found.id)) ? found : null
    },

    /** Uses up the token a code was sent with; null when the code is wrong, over, or was guessed at too often. */
    async takeCode(code: string, relatesTo: string, kinds: readonly TokenKind[]): Promise<OneTimeTokenRecord | null> {
      const codeHash = secret.hashCode(relatesTo, code)
      const found = await store.tryCode({ kinds, relatesTo, codeHash, now: now() })
      return found && (await store.take(found.id)) ? found : null
    },

    /** The hashes of credentials that wait for an address to be confirmed, newest first, even where the link is over. */
    async pendingCredentials(userId: string): Promise<string[]> {
      const tokens = await store.list(userId, 'confirmation')
      return tokens.flatMap(({ credential_hash }) => credential_hash ?? [])
    },
    drop: store.drop,
    dropAll: store.dropAll,
  }
}

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

export const sixDigits = (): string =>
  randomInt(10 ** secondFactorLimits.codeDigits)
    .toString()
    .padStart(secondFactorLimits.codeDigits, '0')

const hashLink = (token: string): string => createHash('sha256').update(token).digest('base64url')

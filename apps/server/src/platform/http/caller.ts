import type { Access } from '@sallyport/contract/endpoint'

/** The user and auth session of a valid bearer token. */
export interface Account {
  readonly userId: string
  readonly authSessionId: string
  readonly email: string
  /** True if two-factor authentication is not completed yet: only the endpoints that complete it are available. */
  readonly mfaPending: boolean
  /** When a recovery email started this auth session (epoch ms); null for every other one. */
  readonly recoveredAt: number | null
}

/** The handler of an `account` or `admin` endpoint always has an account. */
export type Caller<A extends Access> = A extends 'account' | 'admin'
  ? { account: Account }
  : { account: Account | null }

/** Finds the account of a bearer token; null if the token is invalid or expired. */
export type FindAccount = (bearerToken: string) => Promise<Account | null>

/** The token of an `Authorization: Bearer` header, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

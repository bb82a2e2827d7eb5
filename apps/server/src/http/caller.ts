import type { Access } from '@sallyport/contract/endpoint'

/** Somebody whose bearer token stands for a live sign-in. */
export interface Account {
  readonly userId: string
  readonly signInId: string
  readonly email: string
  /** They have a second factor and have not shown it yet: nothing but the calls that take it is open to them. */
  readonly secondFactorPending: boolean
  /** When a recovery mail began this sign-in (epoch ms); null for every other one. */
  readonly recoveredAt: number | null
}

/** A handler of an `account` endpoint never sees a missing account. */
export type Caller<A extends Access> = A extends 'account' ? { account: Account } : { account: Account | null }

/** Answers who a bearer token belongs to, or null when it is not (or no longer) good for anything. */
export type FindAccount = (bearerToken: string) => Promise<Account | null>

/** The token of an `Authorization: Bearer` header, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

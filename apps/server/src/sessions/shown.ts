import type { Account } from '../http/caller.ts'
import type { Shown, Visit } from './entrance.ts'

/** Whose lists are read one at a time. */
export const listCaller = ({ participant }: Visit, { caller, address }: Request): string =>
  participant?.id ?? caller.account?.signInId ?? address

interface Request {
  readonly caller: { readonly account: Account | null }
  readonly address: string
  readonly headers: { 'x-participant-token'?: string | undefined; 'x-session-pin'?: string | undefined }
  readonly query?: { session_pin?: string | undefined; since?: unknown; after?: unknown }
  readonly body?: unknown
}

/** What a request shows, wherever it shows it. */
export function shownBy({ caller, address, headers, query, body }: Request): Shown {
  const { session_pin: inBody, sessionPin } = (body ?? {}) as { session_pin?: string; sessionPin?: string }
  return {
    token: headers['x-participant-token'],
    pin: inBody ?? sessionPin ?? headers['x-session-pin'] ?? query?.session_pin,
    account: caller.account,
    address,
  }
}

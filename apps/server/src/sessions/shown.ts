import type { Account } from '../http/caller.ts'
import { shownPin } from '../http/shown-pin.ts'
import type { Shown } from './entrance.ts'

interface Request {
  readonly caller: { readonly account: Account | null }
  readonly address: string
  readonly headers: { 'x-participant-token'?: string | undefined; 'x-session-pin'?: string | undefined }
  readonly query?: { session_pin?: string | undefined; since?: unknown; after?: unknown }
  readonly body?: unknown
}

/** What a request shows, wherever it shows it. */
export function shownBy({ caller, address, headers, query, body }: Request): Shown {
  return {
    token: headers['x-participant-token'],
    pin: shownPin({ headers, query, body }),
    account: caller.account,
    address,
  }
}

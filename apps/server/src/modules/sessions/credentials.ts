import type { Account } from '../../platform/http/caller.ts'
import { pinOfRequest } from '../../platform/http/request-pin.ts'
import type { SessionCredentials } from './admission/session-access.ts'

interface CredentialsRequest {
  readonly caller: { readonly account: Account | null }
  readonly address: string
  readonly headers: { 'x-participant-token'?: string | undefined; 'x-session-pin'?: string | undefined }
  readonly query?: { session_pin?: string | undefined; since?: unknown; after?: unknown }
  readonly body?: unknown
}

/** Reads the credentials of a request, wherever they are sent. */
export function credentialsOf({ caller, address, headers, query, body }: CredentialsRequest): SessionCredentials {
  return {
    token: headers['x-participant-token'],
    pin: pinOfRequest({ headers, query, body }),
    account: caller.account,
    address,
  }
}

import type { ErrorCode } from '@sallyport/contract/error-codes'

/** Errors that this client detects itself. */
export type ClientErrorCode =
  /** The server answered with something that is not in the contract. */
  | 'INVALID_RESPONSE'
  | 'UPLOAD_CHUNK_FAILED'
  | 'UPLOAD_CHUNK_TIMEOUT'
  | 'UPLOAD_NOT_CONFIRMED'
  | 'UPLOAD_INTERRUPTED'
  /** An intermediary rejects even the smallest chunk. */
  | 'UPLOAD_BODY_REJECTED'
  /** The file on the disk changed since the upload started, or has become unreadable. */
  | 'FILE_CHANGED'
  /** The file is not the one the upload was started with: its name, size, modification time or bytes differ. */
  | 'FILE_DIFFERS'
  | 'DOWNLOAD_TIMEOUT'
  /** The user has cancelled the download in the browser. */
  | 'DOWNLOAD_CANCELLED'
  /** The browser has no space left for what is stored on this device. */
  | 'STORAGE_FULL'
  /** What was stored of a download is no longer what has arrived. */
  | 'STAGED_FILE_CHANGED'
  /** A worker ended by itself. */
  | 'WORKER_STOPPED'
  /** A worker failed in a way that has no code. */
  | 'WORKER_FAILED'
  | 'ARCHIVE_TIMEOUT'
  | 'RECORD_DAMAGED'
  | 'RECORD_SIZE_MISSING'
  | 'RECORD_SIZE_MISMATCH'
  | 'FILE_KEY_MISSING'
  /** The server has no key of this file that could be shared. */
  | 'NO_KEY_TO_SHARE'
  | 'SHARE_KEY_MISSING'
  | 'SHARE_LINK_INVALID'
  /** The part after # is missing or cut. */
  | 'SHARE_LINK_INCOMPLETE'
  /** The server returned something other than the path of a share. No link is built from it. */
  | 'SHARE_ADDRESS_INVALID'
  /** The server returned another key mode of a session than the one this client requested or has a secret for. */
  | 'KEY_MODE_MISMATCH'
  /** The server returned another session than the stored one. */
  | 'SESSION_MISMATCH'

interface ClientErrorOptions extends ErrorOptions {
  readonly index?: number
}

/** An error of this client. Its message is the code: the strings of the user interface have the sentence. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: ClientErrorCode
  /** The chunk or record that failed, numbered from 0, if it was a single one. */
  readonly index: number | undefined

  constructor(code: ClientErrorCode, { index, ...options }: ClientErrorOptions = {}) {
    super(code, options)
    this.code = code
    this.index = index
  }
}

export const hasCode = (error: unknown, ...codes: readonly ClientErrorCode[]): error is ClientError =>
  error instanceof ClientError && codes.includes(error.code)

/** The step of sharing a file that a call belongs to. */
export type ShareStep = 'get-key' | 'create' | 'get-address'

interface ApiErrorInput {
  readonly status: number
  /** The reason phrase; empty over HTTP/2 and later. */
  readonly statusText?: string | undefined
  /** Null when the response did not come from a server that knows the contract. */
  readonly code: ErrorCode | null
  readonly serverMessage?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** How long the server asks the client to wait. */
  readonly retryAfterMs?: number | undefined
  readonly shareStep?: ShareStep | undefined
  readonly body?: unknown
}

/** The server answered with an error, or with something that is not in the contract. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly statusText: string
  readonly code: ErrorCode | null
  /** The sentence that the server sent with its code; empty if it sent none. */
  readonly serverMessage: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterMs: number | undefined
  readonly shareStep: ShareStep | undefined
  /** The whole JSON of the response, for errors that carry more than a sentence; undefined if it was none. */
  declare readonly body: unknown

  constructor(input: ApiErrorInput) {
    const { status, statusText = '', code, serverMessage = '', details, retryAfterMs, shareStep, body } = input
    super(serverMessage || `${status} ${code}`)
    this.status = status
    this.statusText = statusText
    this.code = code
    this.serverMessage = serverMessage
    this.details = details
    this.retryAfterMs = retryAfterMs
    this.shareStep = shareStep
    // Not enumerable, because it may have tokens that no log must show.
    Object.defineProperty(this, 'body', { value: body })
  }
}

/** The server could not be reached, or the connection was lost before it answered. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(options?: ErrorOptions) {
    super('The server cannot be reached', options)
  }
}

/** Statuses for which a retry may succeed. */
export const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

import type { PreparedRequest } from '@sallyport/client/request'
import type { FileKeys } from '@sallyport/crypto'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'

/** Random handles that identify a file in a URL. Only the service worker can resolve them, and only for a while. */
export interface ServedHandles {
  /** In place of a key. */
  readonly key: string
  /** In place of a token. */
  readonly auth: string
}

export interface OfferInput {
  readonly handles: ServedHandles
  readonly keys: FileKeys
  /** The name under which the browser saves the file. */
  readonly name: string
}

export interface PreviewInput {
  readonly handles: ServedHandles
  readonly keys: FileKeys
  /** One of the types that browsers display without running scripts. */
  readonly mediaType: string
  /** Complete except for the bearer token and the range. */
  readonly request: PreparedRequest
}

/** The tasks that a page can run in the service worker over its own port. */
export interface ServedTasks extends Pick<DecryptWorker<void>, 'receive' | 'close' | 'abort'> {
  /**
   * Calls back when the first record is verified, and resolves once the browser has requested the file at its URL. The
   * port leads to the staged records; it is null where nothing can be staged.
   */
  offer(input: OfferInput, stagedRecords: MessagePort | null, requestFile: () => void): Promise<void>
  /** Serves ranges of the file until it is aborted; requests a token in place of a rejected one. */
  preview(input: PreviewInput, requestToken: (rejected: string | null) => void, signal: AbortSignal): Promise<void>
  token(token: string | null): Promise<void>
  /** Ping: a running worker responds at once. */
  alive(signal: AbortSignal): Promise<void>
}

/** Message that transfers a port to the service worker. */
export const connectMessage = 'connect'
/** Message that keeps the service worker from being terminated during a transfer. */
export const keepAliveMessage = 'keep-alive'
/** Message that makes the service worker control this page, so that it receives its requests. */
export const claimMessage = 'claim'

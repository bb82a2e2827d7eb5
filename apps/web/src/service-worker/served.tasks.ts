import type { ReceiveOutcome, ReceiveTask } from '@sallyport/client/download/receive-task'
import type { PreparedRequest } from '@sallyport/client/request'
import type { FileKeys } from '@sallyport/crypto'

/** Stands for a file in an address. It means nothing to anybody but the service worker, and to that only for a while. */
export interface Handles {
  /** In the place of a key. */
  readonly key: string
  /** In the place of a token. */
  readonly auth: string
}

export interface OfferAsk {
  readonly handles: Handles
  readonly keys: FileKeys
  /** The name the browser saves it under. */
  readonly name: string
}

export interface PreviewAsk {
  readonly handles: Handles
  readonly keys: FileKeys
  /** One of those that browsers show without running anything. */
  readonly mediaType: string
  /** Complete but for the bearer token and the range. */
  readonly request: PreparedRequest
}

/** What a page can ask of the service worker, over a port of its own. */
export type ServedTasks = {
  /** Settles once the browser has asked for the file at its address. */
  offer: { ask: OfferAsk; progress: never; result: undefined }
  receive: { ask: ReceiveTask; progress: number; result: ReceiveOutcome }
  close: { ask: null; progress: never; result: undefined }
  abort: { ask: null; progress: never; result: undefined }
  /** Answers ranges of the file until it is stopped; its progress asks for a token in place of the one it names. */
  preview: { ask: PreviewAsk; progress: { readonly turnedDown: string | null }; result: undefined }
  token: { ask: string | null; progress: never; result: undefined }
  /** Answered at once by a worker that lives. */
  alive: { ask: null; progress: never; result: undefined }
}

/** Opens a port, by the one way a page has to a service worker. */
export const connectMessage = 'connect'
/** Keeps the service worker from being put to sleep in the middle. */
export const keepAliveMessage = 'keep-alive'
/** Has the service worker see what this page asks for. */
export const claimMessage = 'claim'

/** A message to deliver. It is encrypted while queued; only the transport gets the content. */
export interface OutboundMessage<Content> {
  /** The same for every attempt. */
  readonly id: string
  readonly content: Content
}

/** Sends a message. Throws on failure, with an `Undeliverable` if a retry cannot succeed. */
export type SendMessage<Content> = (message: OutboundMessage<Content>, signal: AbortSignal) => Promise<void>

/** The receiving server has permanently rejected this message. */
export class Undeliverable extends Error {
  constructor(cause: unknown) {
    super('The message was permanently rejected', { cause })
    this.name = 'Undeliverable'
  }
}

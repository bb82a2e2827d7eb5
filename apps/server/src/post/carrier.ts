/** What travels: sealed while it waits, and known to nobody but the carrier. */
export interface Parcel<Content> {
  /** The same at every attempt. */
  readonly id: string
  readonly content: Content
}

/** Hands a parcel to the network; throws when that fails, with an `Undeliverable` when trying again is of no use. */
export type Carry<Content> = (parcel: Parcel<Content>, signal: AbortSignal) => Promise<void>

/** The other side has refused this very parcel for good. */
export class Undeliverable extends Error {
  constructor(cause: unknown) {
    super('The other side refuses this for good', { cause })
    this.name = 'Undeliverable'
  }
}

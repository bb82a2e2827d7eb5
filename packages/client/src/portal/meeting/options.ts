/** What whoever opens a portal may ask of it. */
export interface PortalOptions {
  /** Refuses devices that know only the basic protocol, and so cannot prove the code. */
  readonly verifiedOnly: boolean
  /** The digits alone open nothing; the link or the QR code does. */
  readonly linkOnly: boolean
  /** The other device learns no address of this one: everything goes through the relay. */
  readonly relayOnly: boolean
}

export const usualOptions: PortalOptions = { verifiedOnly: false, linkOnly: false, relayOnly: false }

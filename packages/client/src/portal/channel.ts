import type { Bytes } from '@sallyport/crypto/portal'

/** One stream of messages to the other device. */
export interface Channel {
  /** Throws when the channel is gone or takes no more. */
  send(data: string | Bytes): void
  /** What waits here before it goes out. */
  bufferedBytes(): number
  /** Settles once no more than so much waits; rejects with the signal's reason. */
  drained(bytes: number, signal: AbortSignal): Promise<void>
  /** Hands over what arrives; messages that come before anybody listens are kept. */
  listen(hear: (data: string | Bytes) => void): void
}

/** The certificates at the two ends of a line, as this device sees them. */
export interface Certificates {
  readonly own: string
  readonly other: string
}

/** All that stands between two devices. `control` and `bulk` are silent where the other one knows only the basic protocol. */
export interface Link {
  readonly main: Channel
  readonly control: Channel
  readonly bulk: Channel
  readonly isRelayed: boolean
  /** Null where the line has none: the relay carries what the keys of the pair have sealed. */
  readonly certificates: Certificates | null
  /** Aborted when the other device cannot be reached over this link any more. */
  readonly lost: AbortSignal
  close(): void
}

/** A file that is to be sent; it stays where it is until its bytes are read. */
export interface OutgoingFile {
  readonly name: string
  /** The folders it lies in, such as `site/plans`; left out where it lies in none. */
  readonly path?: string
  readonly size: number
  readonly mime: string
  /** When it was last changed, in epoch milliseconds, where that is known. */
  readonly modifiedAt?: number
  /** Throws when the file has changed since it was chosen. */
  read(start: number, end: number): Promise<Bytes>
}

/** Where the bytes of an arriving file go. */
export interface PortalSink {
  /** Settles once the bytes are kept; they belong to the sink from here on. Rejects where there is no room for them. */
  write(bytes: Bytes, position: number): Promise<void>
  /** Under this name another page finds what was flushed; left out where it is gone with this one. */
  readonly place?: string
  /** Whether its owner has the file once it is finished, whatever becomes of the others of its transfer. */
  readonly standsAlone?: true
  /** Settles once all that was written outlives the page. */
  flush?(): Promise<void>
  /** What was written, also by an earlier page; shorter where nothing was. */
  read?(position: number, length: number): Promise<Bytes>
  /** Lets go of the file, and leaves what was written to a later page. */
  leave?(): Promise<void>
  /** Hands the whole file over to its new owner. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

export interface FileOffer {
  readonly name: string
  /** The folders it is to lie in, none of which leads upwards; left out where it lies in none. */
  readonly path?: string | undefined
  readonly size: number
  readonly mime: string
}

/** What went wrong, in words for people; everything else is a fault of ours. */
export class PortalError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PortalError'
  }
}

import { ignore } from '@sallyport/contract/ignore'
import type { Bytes } from '@sallyport/crypto/portal'
import * as z from 'zod/mini'
import { isTimeout } from '../clock.ts'
import { PortalError, type PortalErrorCode } from './errors.ts'

type MessageHandler = (data: string | Bytes) => void

/** One message channel to the other device. */
export interface Channel {
  /** Throws when the channel is closed or its buffer is full. */
  send(data: string | Bytes): void
  /** Bytes that are queued and not yet sent. */
  bufferedBytes(): number
  /** Resolves once at most `bytes` are queued; rejects with the signal's reason. */
  drained(bytes: number, signal: AbortSignal): Promise<void>
  /** Sets the handler of received messages. Messages that arrive earlier are buffered. */
  onMessage(handler: MessageHandler): void
}

/** Received messages, buffered until there is a handler for them. */
export function createMessageBuffer() {
  const buffered: (string | Bytes)[] = []
  let handler: MessageHandler | null = null
  return {
    deliver: (data: string | Bytes): void => (handler ? handler(data) : void buffered.push(data)),
    onMessage(next: MessageHandler): void {
      handler = next
      for (const data of buffered.splice(0)) next(data)
    },
  }
}

/** The fingerprints of both DTLS certificates of a connection, as this device sees them. */
export interface Certificates {
  readonly own: string
  readonly other: string
}

/** A connection between two devices. A legacy peer never uses `control` and `bulk`. */
export interface Link {
  readonly main: Channel
  readonly control: Channel
  readonly bulk: Channel
  readonly isRelayed: boolean
  /** Null for a relayed link: it is authenticated by the pair's keys instead. */
  readonly certificates: Certificates | null
  /** Aborted when this link no longer reaches the other device. */
  readonly lost: AbortSignal
  close(): void
}

/** A file to send. Its bytes are read on demand. */
export interface OutgoingFile {
  readonly name: string
  /** Its folder, such as `site/plans`; absent at the top level. */
  readonly path?: string
  readonly size: number
  readonly mime: string
  /** Last modification time in epoch milliseconds, if known. */
  readonly modifiedAt?: number
  /** Throws when the file has changed since it was selected. */
  read(start: number, end: number): Promise<Bytes>
}

/** The destination of a received file. */
export interface PortalSink {
  /** Resolves once the bytes are stored; the sink takes ownership of the buffer. Rejects when there is no space. */
  write(bytes: Bytes, position: number): Promise<void>
  /** The name under which a later page finds the flushed bytes; absent when they do not outlive this page. */
  readonly storedName?: string
  /** Whether the finished file is saved even if the rest of its transfer fails. */
  readonly isIndependent?: true
  /** Resolves once all written bytes outlive the page. */
  flush?(): Promise<void>
  /** Reads written bytes, including those of an earlier page. The result is shorter where nothing was written. */
  read?(position: number, length: number): Promise<Bytes>
  /** Closes the file and leaves the written bytes to a later page. */
  release?(): Promise<void>
  /** Saves the complete file for the user. */
  finish(): Promise<void>
  /** Deletes everything that was written. */
  discard(): Promise<void>
}

export interface FileOffer {
  readonly name: string
  /** Its folder, without `..` segments; absent at the top level. */
  readonly path?: string | undefined
  readonly size: number
  readonly mime: string
}

/** Parses the text of a message by its schema; null for anything else. */
export function parseMessage<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return z.safeParse(schema, JSON.parse(text)).data ?? null
  } catch (error) {
    ignore(error, 'the text of a message is not JSON')
    return null
  }
}

/** Replaces a timeout with a `PortalError` of this code. */
export async function withTimeoutError<T>(work: Promise<T>, code: PortalErrorCode): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isTimeout(error) ? new PortalError(code) : error
  }
}

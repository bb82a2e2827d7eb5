import type { OutgoingFile } from '../channel.ts'
import type { OfferedFile } from './fast-messages.ts'

/** An accepted transfer as its receiver writes it down. */
export interface ArrivalNote {
  readonly tid: string
  readonly peerName: string
  readonly files: readonly OfferedFile[]
  /** What each file's place is called; null for one that is gone with the page. */
  readonly places: readonly (string | null)[]
  readonly chunk: 16_384 | 32_768 | 65_536
  /** Digest of the secret that only the sender of this transfer can show. */
  readonly proof: string
}

/** A block that is kept for good, and the digest it was held against. */
export interface KeptBlock {
  readonly f: number
  readonly block: number
  readonly digest: string
}

/** A transfer as its sender writes it down. */
export interface DepartureNote {
  readonly tid: string
  readonly peerName: string
  /** Shows that it is this sender who goes on. */
  readonly secret: string
  readonly files: readonly SourceNote[]
}

/** By what a file is known again. */
export interface SourceNote {
  readonly name: string
  readonly path?: string | undefined
  readonly size: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

/** What a device writes down of transfers, so that they go on after its page was closed. Nothing here rejects. */
export interface TransferNotes {
  arrive(note: ArrivalNote): Promise<void>
  /** Written only once the blocks would outlive the page. */
  keep(tid: string, blocks: readonly KeptBlock[]): Promise<void>
  finish(tid: string, f: number): Promise<void>
  /** Null for a transfer nothing was written down of. */
  find(tid: string): Promise<{
    readonly note: ArrivalNote
    readonly blocks: readonly KeptBlock[]
    readonly finished: readonly number[]
  } | null>
  depart(note: DepartureNote, files: readonly OutgoingFile[]): Promise<void>
  /** How many bytes of the transfer the other device has. */
  progress(tid: string, bytes: number): void
  /** Nothing of the transfer is to be gone on with. */
  end(tid: string): Promise<void>
}

export const noNotes: TransferNotes = {
  arrive: async () => undefined,
  keep: async () => undefined,
  finish: async () => undefined,
  find: async () => null,
  depart: async () => undefined,
  progress: () => undefined,
  end: async () => undefined,
}

import type { OutgoingFile } from '../channel.ts'
import type { OfferedFile } from './fast-messages.ts'

/** An accepted transfer, as persisted by its receiver. */
export interface PersistedIncoming {
  readonly tid: string
  readonly peerName: string
  readonly files: readonly OfferedFile[]
  /** The stored name of each file; null if its bytes do not outlive the page. */
  readonly places: readonly (string | null)[]
  readonly chunk: 16_384 | 32_768 | 65_536
  /** Digest of the secret that only the sender of this transfer knows. */
  readonly proof: string
}

/** A flushed block and its verified digest. */
export interface PersistedBlock {
  readonly f: number
  readonly block: number
  readonly digest: string
}

/** A transfer, as persisted by its sender. */
export interface PersistedOutgoing {
  readonly tid: string
  readonly peerName: string
  /** Proves to the receiver that the same sender resumes. */
  readonly secret: string
  readonly files: readonly PersistedSource[]
}

/** Identifies a source file when it is selected again. */
export interface PersistedSource {
  readonly name: string
  readonly path?: string | undefined
  readonly size: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

/** Persists transfers so that a later page can resume them. Nothing here rejects. */
export interface TransferJournal {
  saveIncoming(transfer: PersistedIncoming): Promise<void>
  /** Called only after the blocks are flushed. */
  saveBlocks(tid: string, blocks: readonly PersistedBlock[]): Promise<void>
  saveFinished(tid: string, f: number): Promise<void>
  /** Null for a transfer that is not persisted. */
  findIncoming(tid: string): Promise<{
    readonly note: PersistedIncoming
    readonly blocks: readonly PersistedBlock[]
    readonly finished: readonly number[]
  } | null>
  saveOutgoing(transfer: PersistedOutgoing, files: readonly OutgoingFile[]): Promise<void>
  /** Persists how many bytes of the transfer the receiver has. */
  saveProgress(tid: string, bytes: number): void
  /** Deletes everything that is persisted of the transfer. */
  remove(tid: string): Promise<void>
}

export const noJournal: TransferJournal = {
  saveIncoming: async () => undefined,
  saveBlocks: async () => undefined,
  saveFinished: async () => undefined,
  findIncoming: async () => null,
  saveOutgoing: async () => undefined,
  saveProgress: () => undefined,
  remove: async () => undefined,
}

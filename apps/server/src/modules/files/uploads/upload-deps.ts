import type { Readable } from 'node:stream'
import type { ServerContext } from '../../../context.ts'
import type { UploadsStore } from './uploads.store.ts'

/** Dependencies of the upload service. */
export interface UploadServiceDeps
  extends Pick<
    ServerContext,
    'volumes' | 'publishToAccount' | 'publishToSession' | 'recordActivity' | 'now' | 'strict' | 'failpoint'
  > {
  readonly store: UploadsStore
  /** Storage limit of an account, in plaintext bytes. */
  readonly storageLimitOf: (userId: string) => Promise<number>
  /** The default lifetime of an account's files. */
  readonly expirationMinutesOf: (userId: string) => Promise<number>
  /** Ids of uploads that may have lost chunks in a failed fsync and whose chunk rows are not deleted yet. */
  readonly unsyncedUploads: Set<string>
}

/** A session that files are uploaded to. They count toward the storage of its creator. */
interface UploadSession {
  readonly id: string
  /** The lifetime of files that specify none. */
  readonly expirationMinutes: number
}

export interface IncomingChunk {
  /** The account whose storage the chunk uses. */
  readonly ownerId: string
  /** Null for a file of the owner alone. */
  readonly session: UploadSession | null
  readonly uploadKey: string
  readonly index: number
  readonly sealedName: string
  readonly wrappedKey: string | undefined
  /** Plaintext size of every chunk but the last. */
  readonly chunkBytes: number | undefined
  readonly expirationMinutes: number | undefined
  /** The announced length of the request body. */
  readonly announcedBytes: number | undefined
  readonly bytes: Readable
  /** True if the caller has its own stall guard. */
  readonly hasStallGuard?: boolean
}

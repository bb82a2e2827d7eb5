import type { Readable } from 'node:stream'
import type { Reached } from '../blobs/fail-points.ts'
import type { Volumes } from '../blobs/volumes.ts'
import type { Announce, AnnounceToSession } from '../live/announce.ts'
import type { UploadsStore } from './uploads.store.ts'

/** What receiving files takes. */
export interface UploadParts {
  readonly store: UploadsStore
  readonly volumes: Volumes
  readonly announce: Announce
  readonly announceToSession: AnnounceToSession
  readonly now: () => number
  /** Refuse names and keys that are not in their sealed form. */
  readonly strict: boolean
  /** Plain bytes an account may keep. */
  readonly storageLimitOf: (userId: string) => Promise<number>
  /** The lifetime an account gives its files. */
  readonly expirationMinutesOf: (userId: string) => Promise<number>
  readonly reached: Reached
  /** Uploads of which the disk may have lost chunks, and whose chunks could not be forgotten since. */
  readonly distrusted: Set<string>
}

/** A session that files are sent to; they count as its creator's. */
interface SessionPlace {
  readonly id: string
  /** The lifetime of files that ask for no other. */
  readonly expirationMinutes: number
}

export interface IncomingChunk {
  /** Whose storage it takes. */
  readonly ownerId: string
  /** Null for a file of the owner alone. */
  readonly session: SessionPlace | null
  readonly uploadKey: string
  readonly index: number
  readonly sealedName: string
  readonly wrappedKey: string | undefined
  /** Plain bytes of every chunk but the last. */
  readonly chunkBytes: number | undefined
  readonly expirationMinutes: number | undefined
  /** The length the request says it has. */
  readonly announcedBytes: number | undefined
  readonly bytes: Readable
  /** Whoever brings the bytes sees to it that they do not stall. */
  readonly isWatched?: boolean
}

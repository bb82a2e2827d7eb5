import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type FileKeys,
  type RootKey,
  sealName,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import { accountDestination, allowsSingleRequest, kindsOf, type UploadDestination } from './destination.ts'
import { type FileToUpload, fullNameOf } from './file-source.ts'
import type { PersistedUpload, UploadJournal } from './journal.ts'
import { planUpload, type UploadPlan } from './plan.ts'

export interface PrepareUploadInput {
  readonly file: FileToUpload
  /** Defaults to the account. */
  readonly destination?: UploadDestination | undefined
  /**
   * The key of the account, or of the session that the file is for. A rejection fails the upload with that error before
   * anything is sent.
   */
  readonly rootKey: RootKey | Promise<RootKey>
  /** Without it, the account's setting applies. */
  readonly expirationMinutes?: number | undefined
  readonly availableMemoryBytes?: number | undefined
}

/** The immutable data of an upload. It holds no file key, only keys derived from it. */
export interface PreparedUpload {
  readonly destination: UploadDestination
  readonly uploadId: string
  readonly keys: FileKeys
  /** Modification time of the file when the upload started, in epoch milliseconds. */
  readonly lastModified: number
  readonly sealedName: string
  readonly envelope: string
  readonly plan: UploadPlan
  readonly expirationMinutes: number | undefined
}

/** A persisted upload that is neither finished nor cancelled. */
export interface Resumption {
  readonly persisted: PersistedUpload
  readonly journal: UploadJournal
}

/** A persisted upload of which nothing has reached the server, with its keys. */
export interface PendingUpload extends Resumption {
  readonly upload: PreparedUpload
}

/**
 * Creates a fresh id, header and file key each time, even for the same file. Throws if the random generator is broken.
 */
export async function prepareUpload(input: PrepareUploadInput): Promise<PreparedUpload> {
  const { file, rootKey, expirationMinutes, availableMemoryBytes, destination = accountDestination } = input
  const { kind, wrapType } = kindsOf(destination)
  const { lastModified } = file
  const root = await rootKey
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind, plainBytes: file.size }))
  const [envelope, sealedName] = await Promise.all([
    wrapFileKey({ fileKey, keys, root, wrapType }),
    sealName({ name: fullNameOf(file), mimeType: limitMimeType(file.type), lastModified }, keys),
  ])
  fileKey.fill(0)
  return {
    destination,
    uploadId: createUploadId(),
    keys,
    lastModified,
    sealedName,
    envelope,
    plan: planUpload(keys.header, { availableMemoryBytes, allowSingleRequest: allowsSingleRequest(destination) }),
    expirationMinutes,
  }
}

export const createUploadId = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(16)))

/** Drops a MIME type that exceeds the limit of the sealed name. */
const limitMimeType = (type: string): string => (type.length <= 127 ? type : '')

/** Returns what has to be persisted of an upload to resume it. */
export const toPersistedUpload = ({
  uploadId,
  envelope,
  sealedName,
  plan,
  expirationMinutes,
}: PreparedUpload): PersistedUpload => ({
  uploadId,
  envelope,
  sealedName,
  chunkBytes: plan.chunkBytes,
  expirationMinutes,
})

import type { Call } from '@sallyport/client/call'
import { files } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { CryptoError } from '@sallyport/crypto'
import type { FindRootKey } from '../../engine/file-name.ts'
import type { UploadDestination } from '../../engine/upload/destination.ts'
import type { FileMetadata } from '../../engine/upload/file-source.ts'
import type { PreparedUpload } from '../../engine/upload/prepare-upload.ts'
import { openPersistedUpload } from '../../engine/upload/reopen-upload.ts'
import { getUploadStatus } from '../../engine/upload/server-upload.ts'
import type { ResumableUploads } from './persisted-uploads.ts'
import type { StoredUpload } from './upload-store.ts'

/** Why an upload could not be resumed. */
export type ResumeError = 'not-allowed' | 'not-there' | 'not-the-same' | 'changed'

/** A persisted upload of an earlier visit that is neither complete nor rejected. */
export interface InterruptedUpload extends FileMetadata {
  readonly id: string
  readonly entry: StoredUpload
  readonly upload: PreparedUpload
  /** Plain bytes that the server has stored. */
  readonly storedBytes: number
  /**
   * Where the file comes from: a stored handle or copy, a file picker, or, for a pasted file that was not stored,
   * nowhere.
   */
  readonly source: 'at-hand' | 'chosen' | 'pasted'
  readonly error: ResumeError | null
}

interface CheckResumableContext {
  readonly call: Call
  readonly findRootKey: FindRootKey
  readonly destination: UploadDestination
  readonly signal: AbortSignal
}

/**
 * Separates resumable uploads from completed ones. An upload whose status cannot be fetched is in neither list. One
 * request covers all small files; other uploads are requested only if chunks may have been sent.
 */
export async function checkResumable(
  { entries, startedIds }: ResumableUploads,
  context: CheckResumableContext,
): Promise<{ readonly resumable: readonly InterruptedUpload[]; readonly done: readonly string[] }> {
  const opened = await Promise.all(entries.map((entry) => openEntry(entry, context)))
  const valid = opened.filter((one) => one !== null)
  const storedSet = valid.some(({ upload }) => upload.plan.isSingle)
    ? await storedEnvelopes(context.call, context.signal)
    : null
  const done = entries.filter((_, index) => opened[index] === null).map(({ uploadId }) => uploadId)

  async function fetchStoredBytes({ entry, upload }: InterruptedUpload): Promise<number | null | 'unknown'> {
    if (upload.plan.isSingle) return storedSet ? (storedSet.has(entry.envelope) ? null : 0) : 'unknown'
    if (!startedIds.has(entry.uploadId)) return 0
    return countStoredBytes(upload, context).catch(
      (error) => ignore(error, 'the upload is checked again later') ?? ('unknown' as const),
    )
  }

  const resumable: InterruptedUpload[] = []
  await Promise.all(
    valid.map(async (candidate) => {
      const storedBytes = await fetchStoredBytes(candidate)
      if (storedBytes === null) done.push(candidate.id)
      else if (storedBytes !== 'unknown') resumable.push({ ...candidate, storedBytes })
    }),
  )
  return { resumable, done }
}

/** How many plain bytes of an upload the server has; null once the upload is a file. */
async function countStoredBytes(
  upload: PreparedUpload,
  { call, signal }: CheckResumableContext,
): Promise<number | null> {
  const status = await getUploadStatus(call, upload, signal)
  if (status.state === 'finished') return null
  const chunks = [...status.stored].map((index) => upload.plan.chunk(index))
  return chunks.reduce((bytes, { start, end }) => bytes + end - start, 0)
}

/** The envelopes of all stored files; null when the request fails. */
export async function storedEnvelopes(call: Call, signal?: AbortSignal): Promise<ReadonlySet<string> | null> {
  try {
    const listed = await call(files.list, {}, { signal })
    return new Set(listed.files.flatMap(({ encryptedFileKey }) => encryptedFileKey ?? []))
  } catch (error) {
    ignore(error, 'the uploads are checked again later')
    return null
  }
}

/** Returns null for an upload that was not encrypted under this key. */
async function openEntry(
  entry: StoredUpload,
  { findRootKey, destination }: CheckResumableContext,
): Promise<InterruptedUpload | null> {
  try {
    const { upload, file } = await openPersistedUpload(entry, await findRootKey(entry.envelope), destination)
    const isAvailable = entry.way !== null || (entry.heldBytes ?? 0) > 0
    const source = isAvailable ? 'at-hand' : entry.heldBytes === null ? 'chosen' : 'pasted'
    return { id: entry.uploadId, ...file, entry, upload, storedBytes: 0, source, error: null }
  } catch (error) {
    if (error instanceof CryptoError) return null
    throw error
  }
}

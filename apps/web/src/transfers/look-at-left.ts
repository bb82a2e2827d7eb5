import type { Call } from '@sallyport/client/call'
import { storedBytesOf } from '@sallyport/client/upload/look-at-upload'
import type { UploadPlace } from '@sallyport/client/upload/place'
import type { PreparedUpload } from '@sallyport/client/upload/prepare-upload'
import { type KeptFile, reopenKept } from '@sallyport/client/upload/reopen-upload'
import { files } from '@sallyport/contract/files'
import { CryptoError } from '@sallyport/crypto'
import type { FindRoot } from '#/file-views/name-book.ts'
import type { KeptEntry } from './kept-store.ts'
import type { LeftUploads } from './kept-uploads.ts'

/** An upload of an earlier visit that is neither done nor refused. */
export interface LeftUpload {
  readonly entry: KeptEntry
  readonly upload: PreparedUpload
  readonly file: KeptFile
  /** Plain bytes that the server has. */
  readonly storedBytes: number
}

interface Look {
  readonly call: Call
  readonly findRoot: FindRoot
  readonly place: UploadPlace
  readonly signal: AbortSignal
}

/**
 * Sorts what is left of earlier visits. What cannot be asked about while the server is out of reach is in neither list.
 * The server is asked once for all small files, and else only for uploads of which something may have been sent.
 */
export async function lookAtLeft(
  { entries, begun }: LeftUploads,
  look: Look,
): Promise<{ readonly left: readonly LeftUpload[]; readonly done: readonly string[] }> {
  const opened = await Promise.all(entries.map((entry) => open(entry, look)))
  const known = opened.filter((one) => one !== null)
  const areStored = known.some(({ upload }) => upload.plan.isSingle) ? await storedEnvelopes(look) : null
  const done = entries.filter((_, place) => opened[place] === null).map(({ uploadId }) => uploadId)

  async function standingOf({ entry, upload }: Opened): Promise<number | null | 'unknown'> {
    if (upload.plan.isSingle) return areStored ? (areStored.has(entry.envelope) ? null : 0) : 'unknown'
    if (!begun.has(entry.uploadId)) return 0
    return storedBytesOf({ ...look, upload }).catch(() => 'unknown' as const)
  }

  const left: LeftUpload[] = []
  await Promise.all(
    known.map(async (one) => {
      const storedBytes = await standingOf(one)
      if (storedBytes === null) done.push(one.entry.uploadId)
      else if (storedBytes !== 'unknown') left.push({ ...one, storedBytes })
    }),
  )
  return { left, done }
}

/** The envelopes of all files that are stored; null while that cannot be asked. */
export async function storedEnvelopes({
  call,
  signal,
}: Pick<Look, 'call'> & Partial<Pick<Look, 'signal'>>): Promise<ReadonlySet<string> | null> {
  try {
    const listed = await call(files.list, {}, { signal })
    return new Set(listed.files.flatMap(({ encryptedFileKey }) => encryptedFileKey ?? []))
  } catch {
    return null
  }
}

type Opened = Omit<LeftUpload, 'storedBytes'>

/** Null for one that this key did not begin. */
async function open(entry: KeptEntry, { findRoot, place }: Look): Promise<Opened | null> {
  try {
    return { entry, ...(await reopenKept(entry, await findRoot(entry.envelope), place)) }
  } catch (error) {
    if (error instanceof CryptoError) return null
    throw error
  }
}

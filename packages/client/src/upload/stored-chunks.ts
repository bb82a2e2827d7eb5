import { transferLimits } from '@sallyport/contract/limits'
import type { Call } from '../call.ts'
import { ApiError } from '../errors.ts'
import { completionOf } from './complete-upload.ts'
import { FileDiffersError } from './file-source.ts'
import type { UploadJournal } from './journal.ts'
import type { LanePool } from './lane-pool.ts'
import { completeAt, openAt } from './place.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import { findStoredFile } from './stored-file.ts'

type Standing =
  | { readonly state: 'open'; readonly stored: ReadonlySet<number> }
  | { readonly state: 'finished'; readonly fileId: string }

const nothingStored: Standing = { state: 'open', stored: new Set() }

interface Question {
  readonly call: Call
  readonly upload: PreparedUpload
  readonly signal: AbortSignal
}

/** How far the server says that an upload has come; one it has never heard of is open and has nothing. */
export async function askStanding({ call, upload, signal }: Question): Promise<Standing> {
  const patience = { signal, timeoutMs: transferLimits.completionTimeoutMs }
  if (upload.plan.isSingle) {
    const found = await findStoredFile(call, upload.envelope, signal)
    return found ? { state: 'finished', fileId: found.id } : nothingStored
  }
  try {
    const { received } = await openAt(call, upload.place, upload.uploadId, patience)
    const { chunkCount } = upload.plan
    return { state: 'open', stored: new Set(received.flatMap((range) => numbersIn(range, chunkCount))) }
  } catch (error) {
    if (!isUnknown(error)) throw error
  }
  try {
    return { state: 'finished', fileId: await completeAt(call, upload.place, completionOf(upload), patience) }
  } catch (error) {
    if (isUnknown(error)) return nothingStored
    throw error
  }
}

interface Check {
  readonly upload: PreparedUpload
  readonly journal: UploadJournal
  readonly lanes: LanePool
  readonly signal: AbortSignal
}

const checksAtOnce = 2

/**
 * Reads every part of the file that was ever sealed and compares it with what was sealed then; gives the numbers of
 * these chunks. Throws a `FileDiffersError` at the first other byte: parts of two files are never put together.
 */
export async function requireSameBytes({ upload, journal, lanes, signal }: Check): Promise<ReadonlySet<number>> {
  const imprints = await journal.imprints()
  const open = [...imprints].filter(([index]) => index < upload.plan.chunkCount)
  const stop = new AbortController()
  const stopping = AbortSignal.any([signal, stop.signal])

  async function checkNext(): Promise<void> {
    for (let next = open.pop(); next; next = open.pop()) {
      const [index, made] = next
      const task = { chunk: upload.plan.chunk(index), imprints: made }
      const isSame = await lanes.use(0, (lane) => lane.isUnchanged(task, stopping))
      if (!isSame) throw new FileDiffersError()
    }
  }

  try {
    await Promise.all(Array.from({ length: checksAtOnce }, checkNext))
  } finally {
    stop.abort()
  }
  return new Set(imprints.keys())
}

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.code === 'UPLOAD_NOT_FOUND'

/** The numbers of a range that are chunks of this upload: the server may name any others, and any number of them. */
function numbersIn([from, to]: readonly [number, number], chunkCount: number): number[] {
  const first = Math.max(0, from)
  const count = Math.min(to, chunkCount - 1) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index)
}

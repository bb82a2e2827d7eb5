import { createHash, randomUUID } from 'node:crypto'
import { constants, type FileHandle, lstat, open, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { ignore } from '@sallyport/contract/ignore'
import type { FileKeys } from '@sallyport/crypto'
import type { RecordRange } from '../engine/download/plan.ts'

/** What an interrupted download has written, saved next to its part file. */
interface PartJournal {
  /** Identifies the file: bytes of another one would be mixed with these otherwise. */
  readonly fingerprint: string
  /** The claim of the download, so that a limited share counts it once. */
  readonly claim: string
  /** The records that were verified and written, in order. */
  readonly written: readonly RecordRange[]
}

export interface PartFile {
  readonly path: string
  readonly handle: FileHandle
  /** Null for a new download. */
  readonly journal: PartJournal | null
}

/** Hashes the public bytes that commit to the key and the header of a file. */
export const fingerprintOf = ({ commit, encodedHeader }: FileKeys): string =>
  createHash('sha256').update(commit).update(encodedHeader).digest('base64url')

const journalPathOf = (partPath: string): string => `${partPath}.json`

/** Opens the part file of an interrupted download, or creates one. `prefix` is its path without the last part of the name. */
export async function openPartFile(prefix: string, fingerprint: string): Promise<PartFile> {
  const path = `${prefix}.${createHash('sha256').update(fingerprint).digest('hex').slice(0, 8)}.part`
  const journal = await takeJournal(path, fingerprint)
  const resumed = journal && (await openExisting(path))
  if (journal && resumed) return { path, handle: resumed, journal }
  if (journal) await unlink(path).catch((error: unknown) => ignore(error, 'there is no part file'))
  try {
    return { path, handle: await open(path, 'wx'), journal: null }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // Another process downloads the same file, or was killed.
    const ownPath = `${prefix}.${randomUUID().slice(0, 8)}.part`
    return { path: ownPath, handle: await open(ownPath, 'wx'), journal: null }
  }
}

/** Saves what was written, so that the next download of the file resumes. */
export async function saveJournal(partPath: string, journal: PartJournal): Promise<void> {
  const draft = `${journalPathOf(partPath)}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(journal), { flag: 'wx', mode: 0o600 })
  await rename(draft, journalPathOf(partPath))
}

/** Removes the journal and returns it. Only one of several processes gets it, so that no two write the same part file. */
async function takeJournal(partPath: string, fingerprint: string): Promise<PartJournal | null> {
  const taken = `${journalPathOf(partPath)}.${randomUUID()}`
  try {
    await rename(journalPathOf(partPath), taken)
  } catch {
    return null
  }
  try {
    return isOwn(await lstat(taken)) ? parseJournal(await readFile(taken, 'utf8'), fingerprint) : null
  } finally {
    await unlink(taken)
  }
}

/** Opens a part file for writing; null if it is missing or another user could have changed it. */
async function openExisting(path: string): Promise<FileHandle | null> {
  const handle = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)).catch(() => null)
  if (handle === null || isOwn(await handle.stat())) return handle
  await handle.close()
  return null
}

interface FileStatus {
  readonly uid: number
  readonly mode: number
  isFile(): boolean
}

const isOwn = (status: FileStatus): boolean =>
  status.isFile() && (process.getuid === undefined || (status.uid === process.getuid() && (status.mode & 0o002) === 0))

function parseJournal(text: string, fingerprint: string): PartJournal | null {
  try {
    const journal = JSON.parse(text) as PartJournal
    const isValid =
      journal.fingerprint === fingerprint &&
      typeof journal.claim === 'string' &&
      journal.written.every(({ first, end }) => Number.isSafeInteger(first) && first >= 0 && end > first)
    return isValid ? journal : null
  } catch {
    return null
  }
}

/** Adds a record to a short list of ordered ranges and joins those that meet. */
export function addRecord(ranges: RecordRange[], record: number): void {
  const after = ranges.findIndex(({ first }) => first > record)
  const at = after === -1 ? ranges.length : after
  ranges.splice(at, 0, { first: record, end: record + 1 })
  for (const index of [at, at - 1]) {
    const [left, right] = [ranges[index], ranges[index + 1]]
    if (left && right && left.end === right.first) ranges.splice(index, 2, { first: left.first, end: right.end })
  }
}

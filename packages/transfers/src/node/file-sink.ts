import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SharedFile } from '@sallyport/client/sharing/shared-file'
import { safeFileName, uniqueFileName } from '@sallyport/crypto'
import type { Sink } from '../engine/download/sink.ts'
import { addRecord, fingerprintOf, openPartFile, saveJournal } from './part-file.ts'

interface FileSinkOptions {
  /** A file that does not exist yet, or an existing folder. */
  readonly output: string | undefined
  /** The name that it was given by the sender is not trusted. */
  readonly share: SharedFile
  readonly workingFolder: string
  /** Aborted when the user stops the program: what has arrived is kept then. */
  readonly signal: AbortSignal
}

interface FileSink extends Sink<string> {
  /** The claim of the download: that of the earlier attempt if it resumes one. */
  readonly claim: string
  /** Whether the next attempt resumes this one; known once it has ended. */
  isResumable(): boolean
  /** Closes the sink if the download has not. */
  suspend(): Promise<void>
}

const maxNumberedNames = 1000

/**
 * Writes to a part file next to the destination and renames it when it is complete. `close` returns the final path. The
 * part file of a download that was stopped or lost its connection is kept, and resumed by the next one.
 */
export async function createFileSink({ output, share, workingFolder, signal }: FileSinkOptions): Promise<FileSink> {
  const { name, lastModified, keys } = share
  const destination = await chooseDestination({ output, name, workingFolder })
  const fingerprint = fingerprintOf(keys)
  const part = await openPartFile(join(destination.folder, `.${destination.name}`), fingerprint)
  const { path: partPath, handle } = part
  const claim = part.journal?.claim ?? share.claim
  const written = [...(part.journal?.written ?? [])]
  let hasEnded = false
  let isResumable = false

  async function remove(): Promise<void> {
    hasEnded = true
    await handle.close()
    await unlink(partPath).catch(() => undefined)
  }

  async function suspend(): Promise<void> {
    if (hasEnded) return
    if (written.length === 0) return remove()
    hasEnded = true
    await handle.sync()
    await handle.close()
    await saveJournal(partPath, { fingerprint, claim, written })
    isResumable = true
  }

  return {
    storage: 'disk',
    isSeekable: true,
    claim,
    writtenRecords: [...written],
    isResumable: () => isResumable,
    suspend,
    async write(bytes, position) {
      await writeAll(handle, bytes, position)
      if (!hasEnded) addRecord(written, Math.floor(position / keys.header.recordBytes))
    },
    async close() {
      hasEnded = true
      if (lastModified > 0) await handle.utimes(new Date(), new Date(lastModified))
      await handle.sync()
      await handle.close()
      try {
        return await moveToFinalName(partPath, destination)
      } finally {
        await unlink(partPath).catch(() => undefined)
      }
    },
    abort: () => (signal.aborted ? suspend() : remove()),
  }
}

interface SaveDestination {
  readonly folder: string
  readonly name: string
  /** A name chosen by the user is used exactly or rejected; a name from the sender can get a number. */
  readonly isChosen: boolean
}

async function chooseDestination({
  output,
  name,
  workingFolder,
}: Pick<FileSinkOptions, 'output' | 'workingFolder'> & { readonly name: string }): Promise<SaveDestination> {
  if (output === undefined) return { folder: workingFolder, name: safeFileName(name), isChosen: false }
  const found = await stat(output).catch(() => null)
  if (found?.isDirectory()) return { folder: output, name: safeFileName(name), isChosen: false }
  if (found) throw new Error(`${output} already exists`)
  return { folder: dirname(output), name: basename(output), isChosen: true }
}

/** Creates a hard link, which fails if the name exists, so that no file is overwritten, not even in a race. */
async function moveToFinalName(partPath: string, { folder, name, isChosen }: SaveDestination): Promise<string> {
  const usedNames = new Set<string>()
  for (let attempt = 0; attempt < maxNumberedNames; attempt += 1) {
    const path = join(folder, isChosen ? name : uniqueFileName(name, usedNames))
    try {
      await linkOrRename(partPath, path)
      return path
    } catch (error) {
      if (!alreadyExists(error) || isChosen) throw alreadyExists(error) ? new Error(`${path} already exists`) : error
    }
  }
  throw new Error(`${join(folder, name)} already exists, and so do ${maxNumberedNames} numbered variants`)
}

async function linkOrRename(partPath: string, path: string): Promise<void> {
  try {
    await link(partPath, path)
  } catch (error) {
    if (!hasCode(error, ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])) throw error
    // The file system has no hard links: creates the name exclusively, then replaces it by the complete file.
    await (await open(path, 'wx')).close()
    await rename(partPath, path)
  }
}

const alreadyExists = (error: unknown): boolean => hasCode(error, ['EEXIST'])

const hasCode = (error: unknown, codes: readonly unknown[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code)

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

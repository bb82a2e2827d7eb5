import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Sink } from '@sallyport/client/download/sink'
import { safeFileName, uniqueFileName } from '@sallyport/crypto'

interface FileSinkOptions {
  /** A file that does not exist yet, or an existing folder. */
  readonly output: string | undefined
  /** The name given by the sender; not trusted. */
  readonly name: string
  /** Epoch milliseconds; 0 when unknown. */
  readonly lastModified: number
  readonly workingFolder: string
}

const maxNumberedNames = 1000

/** Writes to a temporary file next to the destination and renames it when it is complete. `close` returns the final path. */
export async function createFileSink({
  output,
  name,
  lastModified,
  workingFolder,
}: FileSinkOptions): Promise<Sink<string>> {
  const destination = await chooseDestination({ output, name, workingFolder })
  const partPath = join(destination.folder, `.${destination.name}.${randomUUID().slice(0, 8)}.part`)
  const handle = await open(partPath, 'wx')

  return {
    storage: 'disk',
    isSeekable: true,
    write: (bytes, position) => writeAll(handle, bytes, position),
    async close() {
      if (lastModified > 0) await handle.utimes(new Date(), new Date(lastModified))
      await handle.sync()
      await handle.close()
      try {
        return await moveToFinalName(partPath, destination)
      } finally {
        await unlink(partPath).catch(() => undefined)
      }
    },
    async abort() {
      await handle.close()
      await unlink(partPath).catch(() => undefined)
    },
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
}: Omit<FileSinkOptions, 'lastModified'>): Promise<SaveDestination> {
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

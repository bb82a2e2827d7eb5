import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Sink } from '@sallyport/client/download/sink'
import { safeFileName, uniqueFileName } from '@sallyport/crypto'

interface Wanted {
  /** Where the person wants it: a file that is not there yet, or a folder. */
  readonly output: string | undefined
  /** As the sender named it: anything. */
  readonly name: string
  /** Epoch milliseconds; 0 when unknown. */
  readonly lastModified: number
  readonly workingFolder: string
}

const attempts = 1000

/** Writes beside the final place and gives the file its name only once it is whole. Gives the path it ended up at. */
export async function createFileSink({ output, name, lastModified, workingFolder }: Wanted): Promise<Sink<string>> {
  const place = await choosePlace({ output, name, workingFolder })
  const partPath = join(place.folder, `.${place.name}.${randomUUID().slice(0, 8)}.part`)
  const handle = await open(partPath, 'wx')

  return {
    place: 'disk',
    isSeekable: true,
    write: (bytes, position) => writeAll(handle, bytes, position),
    async close() {
      if (lastModified > 0) await handle.utimes(new Date(), new Date(lastModified))
      await handle.sync()
      await handle.close()
      try {
        return await nameFile(partPath, place)
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

interface Place {
  readonly folder: string
  readonly name: string
  /** A name the person chose is taken as it is or not at all; one of the sender's may be counted up. */
  readonly isChosen: boolean
}

async function choosePlace({ output, name, workingFolder }: Omit<Wanted, 'lastModified'>): Promise<Place> {
  if (output === undefined) return { folder: workingFolder, name: safeFileName(name), isChosen: false }
  const found = await stat(output).catch(() => null)
  if (found?.isDirectory()) return { folder: output, name: safeFileName(name), isChosen: false }
  if (found) throw new Error(`${output} is there already`)
  return { folder: dirname(output), name: basename(output), isChosen: true }
}

/** A hard link fails where the name is taken, so that nothing is ever written over, not even in a race. */
async function nameFile(partPath: string, { folder, name, isChosen }: Place): Promise<string> {
  const taken = new Set<string>()
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const path = join(folder, isChosen ? name : uniqueFileName(name, taken))
    try {
      await giveName(partPath, path)
      return path
    } catch (error) {
      if (!isTaken(error) || isChosen) throw isTaken(error) ? new Error(`${path} is there already`) : error
    }
  }
  throw new Error(`${join(folder, name)} is there already, and so are ${attempts} others like it`)
}

async function giveName(partPath: string, path: string): Promise<void> {
  try {
    await link(partPath, path)
  } catch (error) {
    if (!hasCode(error, ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])) throw error
    // A file system without hard links: the name is taken first, then the whole file put in its place.
    await (await open(path, 'wx')).close()
    await rename(partPath, path)
  }
}

const isTaken = (error: unknown): boolean => hasCode(error, ['EEXIST'])

const hasCode = (error: unknown, codes: readonly unknown[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code)

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

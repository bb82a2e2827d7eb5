import { holdLock, type PrivateFile, partialKeptMs, privateFile, removeEntry } from './private-files.ts'

const prefix = 'arriving-'

/** A place for a file that comes through a portal, or the one an earlier page has made under this name. */
export function claimArrivingFile(name = `${prefix}${crypto.randomUUID()}`): PrivateFile {
  return privateFile({ name, release: holdLock(name), isPartial: false })
}

/** Removes what no page is at and nobody has gone on with for a day, or all of it. Never rejects. */
export async function clearArrivingFiles({ all = false } = {}): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    for await (const name of root.keys()) {
      if (!name.startsWith(prefix) || !(all || (await isOld(root, name)))) continue
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? removeEntry(name) : false))
    }
  } catch {
    // A browser without a private file system has nothing to clear.
  }
}

async function isOld(root: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  const { lastModified } = await (await root.getFileHandle(name)).getFile()
  return Date.now() - lastModified > partialKeptMs
}

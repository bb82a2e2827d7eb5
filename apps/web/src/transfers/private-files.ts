import { systemClock } from '@sallyport/client/clock'

/** Marks our files and folders in the origin's private file system, and the locks that say which are in use. */
const prefix = 'transfer-'
/** How fast a browser copies out of the private file system at the very least, in bytes per millisecond. */
const slowestCopy = 10_000
const shortestKeepMs = 60_000
/** A worker that was ended in the middle may hold its file open for a moment longer. */
const removeAgainMs = 1000

export interface PrivateFile {
  readonly name: string
  read(): Promise<File>
  /** Removes the file, once the browser has had time to copy so many bytes of it. */
  removeAfterCopying(bytes: number): void
  remove(): Promise<void>
}

/** Names a file or a folder in the private file system and holds its lock while this page lives, so that no other clears it away. */
export function claimPrivateFile(): PrivateFile {
  const name = `${prefix}${crypto.randomUUID()}`
  const release = holdLock(name)

  async function remove(): Promise<void> {
    if (!(await removeEntry(name))) {
      await systemClock.wait(removeAgainMs)
      await removeEntry(name)
    }
    release()
  }

  return {
    name,
    async read() {
      const root = await navigator.storage.getDirectory()
      return (await root.getFileHandle(name)).getFile()
    },
    removeAfterCopying(bytes) {
      setTimeout(() => void remove(), shortestKeepMs + bytes / slowestCopy)
    },
    remove,
  }
}

/** Removes what pages that were closed in the middle have left behind. Never rejects. */
export async function clearPrivateFiles(): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    for await (const name of root.keys()) {
      if (!name.startsWith(prefix)) continue
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? removeEntry(name) : false))
    }
  } catch {
    // A browser without a private file system has nothing to clear.
  }
}

function holdLock(name: string): () => void {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  navigator.locks.request(name, () => held).catch(() => undefined)
  return release
}

/** False when it is there still. */
async function removeEntry(name: string): Promise<boolean> {
  try {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry(name, { recursive: true })
    return true
  } catch (error) {
    // It was never made, or is gone already, or there is no such file system.
    return !(error instanceof DOMException && error.name === 'NoModificationAllowedError')
  }
}

import { systemClock } from '@sallyport/client/clock'
import { smallFileBytes } from '@sallyport/contract/limits'
import { type FileKeys, toBase64url } from '@sallyport/crypto'

/** Marks our files and folders in the origin's private file system, and the locks that say which are in use. */
const prefix = 'transfer-'
/** And what may be taken up again by a page to come, for a while. */
const partialPrefix = 'partial-'
const partialKeptMs = 24 * 60 * 60 * 1000
/** How fast a browser copies out of the private file system at the very least, in bytes per millisecond. */
const slowestCopy = 10_000
const shortestKeepMs = 60_000
/** A page that ends sooner than this after the browser was handed a file leaves it: its copy may not be whole yet. */
const shortestCopyMs = 5000
/** A worker that was ended in the middle may hold its file open for a moment longer. */
const removeAgainMs = 1000

export interface PrivateFile {
  readonly name: string
  /** Whether a later attempt finds what is left here. */
  readonly isPartial: boolean
  read(): Promise<File>
  /** Removes the file, once the browser has had time to copy so many bytes of it, or with this page if that ends then. */
  removeAfterCopying(bytes: number): void
  /** Has the file removed when this page ends, as far as it is there still. */
  removeWithPage(): void
  remove(): Promise<void>
  /** Lets go of it, and leaves it as it is. */
  release(): void
}

/** Names a file or a folder in the private file system and holds its lock while this page lives, so that no other clears it away. */
export function claimPrivateFile(): PrivateFile {
  const name = `${prefix}${crypto.randomUUID()}`
  return privateFile({ name, release: holdLock(name), isPartial: false })
}

/**
 * The place of just this file, and of what an earlier attempt has left of it. Null for a file that is quicker fetched
 * anew, and while another page is at it.
 */
export async function claimPartialFile({ header, commit }: FileKeys): Promise<PrivateFile | null> {
  if (header.plainBytes < smallFileBytes) return null
  // Nobody who hands out a link can make another file go by the name of one that is half here.
  const name = `${partialPrefix}${toBase64url(commit)}`
  const release = await tryLock(name)
  return release && privateFile({ name, release, isPartial: true })
}

/** A file of this name whose lock is held already. */
export function privateFile({
  name,
  release,
  isPartial,
}: Pick<PrivateFile, 'name' | 'release' | 'isPartial'>): PrivateFile {
  let stopWatching = (): void => undefined

  async function remove(): Promise<void> {
    stopWatching()
    if (!(await removeEntry(name))) {
      await systemClock.wait(removeAgainMs)
      await removeEntry(name)
    }
    release()
  }

  return {
    name,
    isPartial,
    release,
    async read() {
      const root = await navigator.storage.getDirectory()
      const folder = isPartial ? await root.getDirectoryHandle(name) : root
      return (await folder.getFileHandle(isPartial ? 'bytes' : name)).getFile()
    },
    removeAfterCopying(bytes) {
      const copyMs = bytes / slowestCopy
      stopWatching()
      stopWatching = removeWithPage(name, Date.now() + shortestCopyMs + copyMs)
      setTimeout(() => void remove(), shortestKeepMs + copyMs)
    },
    removeWithPage() {
      stopWatching = removeWithPage(name)
    },
    remove,
  }
}

/**
 * Removes what pages that were closed in the middle have left behind; what could be taken up again only once it is old,
 * unless all of it is to go. Never rejects.
 */
export const clearPrivateFiles = ({ all = false } = {}): Promise<void> =>
  clearEntries(
    async (name, root) =>
      name.startsWith(prefix) || (name.startsWith(partialPrefix) && (all || (await isOld(root, name)))),
  )

/** Removes those of which this is true and that no page is at. Never rejects. */
export async function clearEntries(
  isOver: (name: string, root: FileSystemDirectoryHandle) => boolean | Promise<boolean>,
): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    for await (const name of root.keys()) {
      if (!(await isOver(name, root))) continue
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? removeEntry(name) : false))
    }
  } catch {
    // A browser without a private file system has nothing to clear.
  }
}

/** By the last time something was noted; what cannot be told is in use, or of no use. */
export async function isOld(root: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    const folder = await root.getDirectoryHandle(name)
    const { lastModified, size } = await (await folder.getFileHandle('notes')).getFile()
    // Without notes it was being decrypted when its page ended.
    return size === 0 || Date.now() - lastModified > partialKeptMs
  } catch {
    return true
  }
}

/** Null while somebody else holds it. */
async function tryLock(name: string): Promise<(() => void) | null> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: taken, resolve: tell } = Promise.withResolvers<boolean>()
  navigator.locks
    .request(name, { ifAvailable: true }, (lock) => {
      tell(lock !== null)
      return lock ? held : undefined
    })
    .catch(() => tell(false))
  return (await taken) ? release : null
}

/** Gives the function that lets go. */
export function holdLock(name: string): () => void {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  navigator.locks.request(name, () => held).catch(() => undefined)
  return release
}

/** Removes an entry when the page ends after this time (epoch milliseconds). Gives the function that stops this. */
function removeWithPage(name: string, from = 0): () => void {
  const stop = new AbortController()
  const { signal } = stop
  navigator.storage.getDirectory().then(
    (root) => {
      const removeNow = ({ persisted }: PageTransitionEvent) => {
        // Nothing that settles later happens in a page that ends: the browser has to be asked at once.
        if (!persisted && Date.now() >= from) root.removeEntry(name, { recursive: true }).catch(() => undefined)
      }
      addEventListener('pagehide', removeNow, { signal })
    },
    () => undefined,
  )
  return () => stop.abort()
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

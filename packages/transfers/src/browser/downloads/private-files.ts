import { createClaims, holdLock } from '@sallyport/browser/locks'
import { systemClock } from '@sallyport/client/clock'
import { ignore } from '@sallyport/contract/ignore'
import { smallFileBytes } from '@sallyport/contract/limits'
import { type FileKeys, toBase64url } from '@sallyport/crypto'

/** The prefix of our entries in the origin's private file system and of the locks that mark those in use. */
const prefix = 'transfer-'
/** The prefix of entries that a later page can resume for a while. */
const partialPrefix = 'partial-'
const partialRetentionMs = 24 * 60 * 60 * 1000
/** The assumed minimum speed at which a browser copies from the private file system, in bytes per millisecond. */
const minCopyBytesPerMs = 10_000
const minRetentionMs = 60_000
/**
 * A page that ends sooner than this after a download was handed to the browser leaves the file, because the copy may be
 * incomplete.
 */
const minCopyMs = 5000
/** A terminated worker may hold its file open for a moment. */
const removeRetryMs = 1000

export interface PrivateFile {
  readonly name: string
  /** Whether a later attempt can resume from this file. */
  readonly isPartial: boolean
  read(): Promise<File>
  /** Removes the file once the browser has had time to copy this many bytes, or when this page ends after that. */
  removeAfterCopying(bytes: number): void
  /** Removes the file when this page ends, if it still exists. */
  removeWithPage(): void
  remove(): Promise<void>
  /** Releases the file and leaves it as it is. */
  release(): void
}

/**
 * Names a new file or folder in the private file system and holds its lock while this page is open, so that no other
 * page removes it.
 */
export function claimPrivateFile(): PrivateFile {
  const name = `${prefix}${crypto.randomUUID()}`
  return createPrivateFile({ name, release: holdLock(name), isPartial: false })
}

/**
 * Claims the partial file of this download, with the records of earlier attempts. Returns null for a file that is
 * faster to download again, and while another page uses it.
 */
export async function claimPartialFile({ header, commit }: FileKeys): Promise<PrivateFile | null> {
  if (header.plainBytes < smallFileBytes) return null
  // The name is bound to the key commitment, so a link's creator cannot make another file match a partial one.
  const name = `${partialPrefix}${toBase64url(commit)}`
  const release = await createClaims('')
    .claim(name)
    .catch((error) => ignore(error, 'the download starts over'))
  return release ? createPrivateFile({ name, release, isPartial: true }) : null
}

/** Creates the handle of a private file whose lock is already held. */
export function createPrivateFile({
  name,
  release,
  isPartial,
}: Pick<PrivateFile, 'name' | 'release' | 'isPartial'>): PrivateFile {
  let stopWatching = (): void => undefined

  async function remove(): Promise<void> {
    stopWatching()
    if (!(await removeEntry(name))) {
      await systemClock.wait(removeRetryMs)
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
      const copyMs = bytes / minCopyBytesPerMs
      stopWatching()
      stopWatching = removeWithPage(name, systemClock.now() + minCopyMs + copyMs)
      setTimeout(() => void remove(), minRetentionMs + copyMs)
    },
    removeWithPage() {
      stopWatching = removeWithPage(name)
    },
    remove,
  }
}

/**
 * Removes entries that closed pages have left behind. Resumable ones are removed only once they are old, unless `all`
 * is set. Never rejects.
 */
export const removePrivateFiles = ({ all = false } = {}): Promise<void> =>
  removeEntries(
    async (name, root) =>
      name.startsWith(prefix) || (name.startsWith(partialPrefix) && (all || (await isExpired(root, name)))),
  )

/** Removes matching entries whose lock is free. Never rejects. */
export async function removeEntries(
  shouldRemove: (name: string, root: FileSystemDirectoryHandle) => boolean | Promise<boolean>,
): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    for await (const name of root.keys()) {
      if (!(await shouldRemove(name, root))) continue
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? removeEntry(name) : false))
    }
  } catch (error) {
    ignore(error, 'a browser without a private file system has nothing to clear')
  }
}

/**
 * Whether an entry was last written more than a day ago. Returns true where that cannot be read: such an entry is
 * locked or unusable.
 */
export async function isExpired(root: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    const folder = await root.getDirectoryHandle(name)
    const { lastModified, size } = await (await folder.getFileHandle('notes')).getFile()
    // Without digests it was being decrypted when its page ended.
    return size === 0 || Date.now() - lastModified > partialRetentionMs
  } catch (error) {
    ignore(error, 'the entry is locked or unusable')
    return true
  }
}

/** Removes an entry when the page ends after this time of the system clock, until the returned function is called. */
function removeWithPage(name: string, from = 0): () => void {
  const controller = new AbortController()
  const { signal } = controller
  // Not every browser has a private file system.
  navigator.storage?.getDirectory().then(
    (root) => {
      const handlePageHide = ({ persisted }: PageTransitionEvent) => {
        // Asynchronous work never completes in a page that ends, so the removal has to be requested at once.
        if (!persisted && systemClock.now() >= from)
          root.removeEntry(name, { recursive: true }).catch((error) => ignore(error, 'a later visit removes it'))
      }
      addEventListener('pagehide', handlePageHide, { signal })
    },
    () => undefined,
  )
  return () => controller.abort()
}

/** Returns false where the entry still exists. */
async function removeEntry(name: string): Promise<boolean> {
  try {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry(name, { recursive: true })
    return true
  } catch (error) {
    // It never existed, is already removed, or there is no such file system.
    return !(error instanceof DOMException && error.name === 'NoModificationAllowedError')
  }
}

/** Locates a file at a later visit: a persistable handle and, for a file in a folder, the path below it. */
export interface FileLocator {
  readonly handle: FileSystemHandle
  /** Folder names followed by the file name; empty if the handle is that of the file. */
  readonly steps: readonly string[]
}

const locators = new WeakMap<File, Promise<FileLocator | null>>()
const folders = new WeakMap<FileSystemEntry, Promise<FileSystemHandle | null>>()
const pasted = new WeakSet<File>()

/** Associates a file with its handle; for a file in a dropped folder, with the folder's handle and the path. */
export function setFileHandle(
  file: File,
  handle: Promise<FileSystemHandle | null>,
  steps: readonly string[] = [],
): void {
  const kind = steps.length === 0 ? 'file' : 'directory'
  const locator = handle.then((found) => (found?.kind === kind ? { handle: found, steps } : null))
  locators.set(
    file,
    locator.catch(() => null),
  )
}

/** Returns how to locate the file at a later visit; null if the browser provides no handle. */
export const locatorOf = (file: File): Promise<FileLocator | null> => locators.get(file) ?? Promise.resolve(null)

/** The handle of a file that was picked or dropped directly, not within a folder. */
export async function handleOf(file: File): Promise<FileSystemFileHandle | null> {
  const locator = await locatorOf(file)
  return locator?.steps.length === 0 ? (locator.handle as FileSystemFileHandle) : null
}

/** Reads the current file. Rejects if it is gone or access is denied. */
export async function readFromLocator(locator: FileLocator): Promise<File> {
  const file = await fetchFile(locator)
  locators.set(file, Promise.resolve(locator))
  return file
}

async function fetchFile({ handle, steps }: FileLocator): Promise<File> {
  const folders = steps.slice(0, -1)
  const name = steps.at(-1)
  if (name === undefined) return (handle as FileSystemFileHandle).getFile()
  let folder = handle as FileSystemDirectoryHandle
  for (const step of folders) folder = await folder.getDirectoryHandle(step)
  return (await folder.getFileHandle(name)).getFile()
}

/** Marks files that exist only in this page because they were pasted or created from pasted content. */
export function markPasted(files: Iterable<File>): void {
  for (const file of files) pasted.add(file)
}

export const isPasted = (file: File): boolean => pasted.has(file)

/** Returns the dropped files. Call it synchronously in the drop handler; afterwards the browser clears the data. */
export function droppedFiles({ files, items }: DataTransfer): File[] {
  // `files` and `items` are in the same order. A file from `getAsFile` would not detect changes on disk.
  const dropped = [...files]
  const fileItems = fileItemsOf(items)
  for (const [index, file] of dropped.entries()) {
    const handle = fileItems.length === dropped.length ? fileItems[index]?.getAsFileSystemHandle?.() : undefined
    if (handle) setFileHandle(file, handle)
  }
  return dropped
}

/** Returns the dropped entries, including folders. Call it synchronously in the drop handler. */
export function droppedEntries({ items }: DataTransfer): FileSystemEntry[] {
  return fileItemsOf(items).flatMap((item) => {
    const entry = item.webkitGetAsEntry()
    if (!entry) return []
    const handle = entry.isDirectory ? item.getAsFileSystemHandle?.() : undefined
    if (handle) folders.set(entry, handle)
    return [entry]
  })
}

/** Associates a file found in a dropped folder with the folder's handle and the path below it. */
export function setFolderHandle(file: File, folder: FileSystemEntry, steps: readonly string[]): void {
  const handle = folders.get(folder)
  if (handle) setFileHandle(file, handle, steps)
}

const fileItemsOf = (items: DataTransferItemList): DataTransferItem[] =>
  [...items].filter(({ kind }) => kind === 'file')

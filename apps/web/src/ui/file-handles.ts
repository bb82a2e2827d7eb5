/** Leads to a file at a later visit: what the browser may be asked to read, and in a folder the names from there on. */
export interface WayToFile {
  readonly handle: FileSystemHandle
  /** Folders in their order, and the file last; empty where the handle is that of the file. */
  readonly steps: readonly string[]
}

const ways = new WeakMap<File, Promise<WayToFile | null>>()
const folders = new WeakMap<FileSystemEntry, Promise<FileSystemHandle | null>>()
const pasted = new WeakSet<File>()

/** Remembers what leads to this file at a later visit; for one in a folder that was dropped, with its path in there. */
export function keepHandle(file: File, handle: Promise<FileSystemHandle | null>, steps: readonly string[] = []): void {
  const kind = steps.length === 0 ? 'file' : 'directory'
  const way = handle.then((found) => (found?.kind === kind ? { handle: found, steps } : null))
  ways.set(
    file,
    way.catch(() => null),
  )
}

/** Leads to the file at a later visit; null where the browser gives no such thing. */
export const wayTo = (file: File): Promise<WayToFile | null> => ways.get(file) ?? Promise.resolve(null)

/** The file itself, where it was chosen or dropped by itself. */
export async function handleOf(file: File): Promise<FileSystemFileHandle | null> {
  const way = await wayTo(file)
  return way?.steps.length === 0 ? (way.handle as FileSystemFileHandle) : null
}

/** The file as it is now. Rejects where it is gone or may not be read. */
export async function followWay(way: WayToFile): Promise<File> {
  const file = await fetchFile(way)
  ways.set(file, Promise.resolve(way))
  return file
}

async function fetchFile({ handle, steps }: WayToFile): Promise<File> {
  const folders = steps.slice(0, -1)
  const name = steps.at(-1)
  if (name === undefined) return (handle as FileSystemFileHandle).getFile()
  let folder = handle as FileSystemDirectoryHandle
  for (const step of folders) folder = await folder.getDirectoryHandle(step)
  return (await folder.getFileHandle(name)).getFile()
}

/** Remembers that nothing but the page has these files: they were pasted, or made of what was. */
export function markPasted(files: Iterable<File>): void {
  for (const file of files) pasted.add(file)
}

export const isPasted = (file: File): boolean => pasted.has(file)

/** The files of a drop. Has to be called while the drop is being handled: afterwards the browser tells no more. */
export function droppedFiles({ files, items }: DataTransfer): File[] {
  // In the same order. A file that is taken from its item would not show that it changes on the disk.
  const dropped = [...files]
  const fileItems = fileItemsOf(items)
  for (const [place, file] of dropped.entries()) {
    const handle = fileItems.length === dropped.length ? fileItems[place]?.getAsFileSystemHandle?.() : undefined
    if (handle) keepHandle(file, handle)
  }
  return dropped
}

/** The same with folders, which are only then found among them. Has to be called as early. */
export function droppedEntries({ items }: DataTransfer): FileSystemEntry[] {
  return fileItemsOf(items).flatMap((item) => {
    const entry = item.webkitGetAsEntry()
    if (!entry) return []
    const handle = entry.isDirectory ? item.getAsFileSystemHandle?.() : undefined
    if (handle) folders.set(entry, handle)
    return [entry]
  })
}

/** Remembers what leads to a file that was found in a dropped folder, at so many steps from there. */
export function keepFolderHandle(file: File, folder: FileSystemEntry, steps: readonly string[]): void {
  const handle = folders.get(folder)
  if (handle) keepHandle(file, handle, steps)
}

const fileItemsOf = (items: DataTransferItemList): DataTransferItem[] =>
  [...items].filter(({ kind }) => kind === 'file')

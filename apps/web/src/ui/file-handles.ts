const handles = new WeakMap<File, Promise<FileSystemFileHandle | null>>()

/** Remembers what leads to this file at a later visit. */
export function keepHandle(file: File, handle: Promise<FileSystemHandle | null>): void {
  const whereFile = handle.then((found) => (found?.kind === 'file' ? (found as FileSystemFileHandle) : null))
  handles.set(
    file,
    whereFile.catch(() => null),
  )
}

/** Leads to the file at a later visit; null where the browser gives no such thing. */
export const handleOf = (file: File): Promise<FileSystemFileHandle | null> => handles.get(file) ?? Promise.resolve(null)

/** The files of a drop. Has to be called while the drop is being handled: afterwards the browser tells no more. */
export function droppedFiles({ items }: DataTransfer): File[] {
  const files: File[] = []
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null
    if (!file) continue
    if (item.getAsFileSystemHandle) keepHandle(file, item.getAsFileSystemHandle())
    files.push(file)
  }
  return files
}

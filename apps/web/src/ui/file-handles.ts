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
export function droppedFiles({ files, items }: DataTransfer): File[] {
  // In the same order. A file that is taken from its item would not show that it changes on the disk.
  const dropped = [...files]
  const fileItems = [...items].filter(({ kind }) => kind === 'file')
  for (const [place, file] of dropped.entries()) {
    const handle = fileItems.length === dropped.length ? fileItems[place]?.getAsFileSystemHandle?.() : undefined
    if (handle) keepHandle(file, handle)
  }
  return dropped
}

import { isInUse, openHandle } from './private-handle.ts'

/** The names within the folder of a file that is on its way. */
const bytesName = 'bytes'
const notesName = 'notes'

interface PartialFolder {
  readonly bytes: FileSystemSyncAccessHandle
  readonly notes: FileSystemSyncAccessHandle
  close(): void
  remove(): Promise<void>
}

/** Opens what an earlier attempt left under this name, or makes it. Rejects where there is no private file system. */
export async function openPartialFolder(name: string): Promise<PartialFolder> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(name, { create: true })
  const opened: FileSystemSyncAccessHandle[] = []
  const close = () => {
    for (const handle of opened) handle.close()
  }
  const remove = async () => {
    close()
    await root.removeEntry(name, { recursive: true })
  }
  const open = async (entry: string): Promise<FileSystemSyncAccessHandle> => {
    const handle = await openHandle(await folder.getFileHandle(entry, { create: true }))
    opened.push(handle)
    return handle
  }

  try {
    return { bytes: await open(bytesName), notes: await open(notesName), close, remove }
  } catch (error) {
    if (isInUse(error)) close()
    else await remove().catch(() => undefined)
    throw error
  }
}

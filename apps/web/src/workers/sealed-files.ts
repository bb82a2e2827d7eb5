import { type OpenSealedPlace, placesInMemory } from '@sallyport/client/upload/sealed-places'

/**
 * Puts sealed chunks into files of a folder in the private file system, each used again for later chunks: a body that is
 * a file costs the page no memory, while of one in memory the browser keeps copies. In memory where there is no such
 * file system, or no room in it.
 */
export function placesInFiles(folderName: string): OpenSealedPlace {
  const openInMemory = placesInMemory()
  const spare: FileSystemFileHandle[] = []
  let folder: Promise<FileSystemDirectoryHandle> | undefined
  let made = 0

  async function take(): Promise<FileSystemFileHandle> {
    folder ??= openFolder(folderName)
    const name = String(made)
    made += 1
    return spare.pop() ?? (await folder).getFileHandle(name, { create: true })
  }

  return async (sealedBytes) => {
    let file: FileSystemFileHandle
    let handle: FileSystemSyncAccessHandle
    try {
      file = await take()
      handle = await openHandle(file, sealedBytes)
    } catch {
      return openInMemory(sealedBytes)
    }
    return {
      write(bytes, position) {
        if (handle.write(bytes, { at: position }) !== bytes.length) throw new Error(noRoom)
      },
      async close() {
        handle.close()
        return file.getFile()
      },
      free: () => void spare.push(file),
    }
  }
}

const noRoom = 'The browser has no room for this upload. Free some space and try again.'

async function openFolder(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(name, { create: true })
}

async function openHandle(file: FileSystemFileHandle, bytes: number): Promise<FileSystemSyncAccessHandle> {
  const handle = await file.createSyncAccessHandle()
  try {
    // Takes the room at once, while there is still another way.
    handle.truncate(bytes)
    return handle
  } catch (error) {
    handle.close()
    throw error
  }
}

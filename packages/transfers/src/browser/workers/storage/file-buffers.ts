import { ClientError } from '@sallyport/client/errors'
import { ignore } from '@sallyport/contract/ignore'
import { type CreateSealedBuffer, createMemoryBuffers } from '../../../engine/upload/sealed-buffers.ts'

/**
 * Buffers encrypted chunks in files of a folder in the private file system and reuses the files for later chunks. A
 * request body that is a file costs no memory, while the browser copies a body in memory. Falls back to memory where
 * there is no such file system or not enough space.
 */
export function createFileBuffers(folderName: string): CreateSealedBuffer {
  const openInMemory = createMemoryBuffers()
  const freeHandles: FileSystemFileHandle[] = []
  let folder: Promise<FileSystemDirectoryHandle> | undefined
  let createdCount = 0

  async function acquireHandle(): Promise<FileSystemFileHandle> {
    folder ??= openFolder(folderName)
    const name = String(createdCount)
    createdCount += 1
    return freeHandles.pop() ?? (await folder).getFileHandle(name, { create: true })
  }

  return async (sealedBytes) => {
    let file: FileSystemFileHandle
    let handle: FileSystemSyncAccessHandle
    try {
      file = await acquireHandle()
      handle = await openHandle(file, sealedBytes)
    } catch (error) {
      ignore(error, 'the chunk is held in memory')
      return openInMemory(sealedBytes)
    }
    return {
      write(bytes, position) {
        if (handle.write(bytes, { at: position }) !== bytes.length) throw new ClientError('STORAGE_FULL')
      },
      async finish() {
        handle.close()
        return file.getFile()
      },
      release: () => void freeHandles.push(file),
    }
  }
}

async function openFolder(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(name, { create: true })
}

async function openHandle(file: FileSystemFileHandle, bytes: number): Promise<FileSystemSyncAccessHandle> {
  const handle = await file.createSyncAccessHandle()
  try {
    // Allocates the space at once, while falling back to memory is still possible.
    handle.truncate(bytes)
    return handle
  } catch (error) {
    handle.close()
    throw error
  }
}

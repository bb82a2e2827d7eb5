export const noRoom = 'The browser has no room for this file. Free some space and try again.'

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

export interface PrivateHandle {
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void
  /** Sets the length of the file. */
  cut(length: number): void
  close(): void
  remove(): Promise<void>
}

/** Opens a file of so many bytes in the private file system. Rejects where there is none, or no room in it. */
export async function openPrivateHandle(privateName: string, bytes: number): Promise<PrivateHandle> {
  const root = await navigator.storage.getDirectory()
  const file = await root.getFileHandle(privateName, { create: true })
  const handle = await file.createSyncAccessHandle()
  const remove = async () => {
    handle.close()
    await root.removeEntry(privateName)
  }
  try {
    // Takes the room at once: better no start than a full disk in the middle.
    handle.truncate(bytes)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    write(piece, position) {
      const written = handle.write(piece, { at: position })
      if (written !== piece.length) throw new Error(noRoom)
    },
    cut: (length) => handle.truncate(length),
    close: () => handle.close(),
    remove,
  }
}

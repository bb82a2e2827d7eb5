import type { SavedFile } from '../workers/tasks.ts'
import type { PrivateFile } from './private-files.ts'
import { saveBlob } from './save-blob.ts'

interface SaveReceivedFileInput {
  readonly saved: SavedFile
  readonly privateFile: PrivateFile
  readonly name: string
  readonly size: number
}

/** Saves a received file to the downloads and removes the private file. Returns the error on failure. */
export async function saveReceivedFile({
  saved,
  privateFile,
  name,
  size,
}: SaveReceivedFileInput): Promise<Error | null> {
  try {
    saveBlob('blob' in saved ? saved.blob : await privateFile.read(), name)
    privateFile.removeAfterCopying(size)
    return null
  } catch (error) {
    await privateFile.remove()
    return error instanceof Error ? error : new Error(String(error))
  }
}

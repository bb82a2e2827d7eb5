import type { SavedFile } from '#/workers/tasks.ts'
import type { PrivateFile } from './private-files.ts'
import { saveBlob } from './save-blob.ts'

interface HandOver {
  readonly saved: SavedFile
  readonly place: PrivateFile
  readonly name: string
  readonly size: number
}

/** Puts what has arrived into the person's downloads and clears its place; answers what went wrong. */
export async function handOverFile({ saved, place, name, size }: HandOver): Promise<Error | null> {
  try {
    saveBlob('blob' in saved ? saved.blob : await place.read(), name)
    place.removeAfterCopying(size)
    return null
  } catch (error) {
    await place.remove()
    return error instanceof Error ? error : new Error(String(error))
  }
}

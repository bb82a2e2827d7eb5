import type { Call } from '../call.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import { askStanding } from './stored-chunks.ts'

interface Look {
  readonly call: Call
  readonly upload: PreparedUpload
  readonly signal: AbortSignal
}

/** How many plain bytes of an upload of an earlier visit the server has; null once it has made a file of them. */
export async function storedBytesOf({ call, upload, signal }: Look): Promise<number | null> {
  const standing = await askStanding({ call, upload, signal })
  if (standing.state === 'finished') return null
  const bytesOf = (index: number) => upload.plan.chunk(index).end - upload.plan.chunk(index).start
  return [...standing.stored].reduce((bytes, index) => bytes + bytesOf(index), 0)
}
